#if Server

import Daybook
import DaybookQuery
import DaybookTools

/// The requests and conditions that parameters make.
extension ServerRequest {
  /// Returns the fetch request of the parameters ``Parameter/request``.
  ///
  /// - Throws: `Problem` with the status 400, and the place, for a text that cannot be parsed.
  func fetchRequest() throws -> FetchRequest {
    try FetchRequest(entity: self["entity"] ?? "", parameters: { all($0) })
  }

  /// Returns the commit filter of the parameters ``Parameter/commitFilter``.
  ///
  /// - Parameter entity: Whether the entity is one of the conditions.
  /// - Throws: `Problem`; `StoreError` for an object that never existed.
  func commitFilter(in store: Store) throws -> CommitFilter {
    let object = try self["object"].map { text in
      try store.read { try $0.resolve(text, includesDeleted: true) }
    }
    let kind = self["kind"].flatMap { CommitKind(rawValue: $0) }
    return CommitFilter(
      entity: self["entity"], kind: kind?.event, event: self["event"],
      object: object, author: self["author"], message: self["message"], ignoresCase: flag("ignoreCase"),
      correlation: self["correlation"], since: time("since"), until: time("until"), isModel: kind?.isModel ?? false,
      condition: try Filter.parameter { all($0) })
  }
}

/// The kinds of events that a commit filter may name.
enum CommitKinds {
  static let names = CommitKind.allCases.map(\.rawValue)
}

#endif
