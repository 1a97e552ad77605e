#if Command

import Daybook
import DaybookTools

/// The rows of a request in one state: objects, which are read one by one, or groups, which are read together.
struct RequestRows {
  private var groups: [ObjectID: StoredObject]?

  /// - Complexity: O(1) for objects, O(*n*) for groups of *n* objects.
  init(_ request: FetchRequest, in reader: borrowing StoreReader) throws {
    guard request.grouping != nil else { return }
    let rows = try reader.fetch(request).rows
    groups = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
  }

  /// Returns the object or the group of a row; `nil` if it is not in the state.
  func object(_ id: ObjectID, _ reader: borrowing StoreReader) throws -> StoredObject? {
    guard let groups else { return try reader.get(id) }
    return groups[id]
  }
}

#endif
