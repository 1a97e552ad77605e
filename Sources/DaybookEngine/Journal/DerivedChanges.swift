import DaybookModel
import LMDB

/// What a projection changed in its derived entities, by the commit that caused it.
///
/// A row has the events of one commit in the form of a commit's body. A commit that changed no derived object has no
/// row, nor has a commit before the first one that is kept.
package struct DerivedChanges {
  private let table: Table
  private let snapshot: TransactionSnapshot
  /// The name of the projection.
  private let projection: String
  /// The first commit whose changes are kept.
  private let first: Position

  package init(_ table: Table, in snapshot: TransactionSnapshot, of projection: String, from first: Position) {
    (self.table, self.snapshot, self.projection, self.first) = (table, snapshot, projection, first)
  }

  /// Returns the key of a commit's row.
  package static func key(of position: Position) -> [UInt8] {
    var key: [UInt8] = []
    key.appendFixed(position.number)
    return key
  }

  /// Appends the events of a commit.
  ///
  /// - Throws: ``UnkeptChanges``; `LMDBError` if the row is damaged, or damage may hide it.
  func appendEvents(at position: Position, to bytes: inout [UInt8]) throws {
    guard position >= first else { throw UnkeptChanges(projection: projection) }
    let key = DerivedChanges.key(of: position)
    if let value = try snapshot.value(for: key.rawSpan, in: table) {
      bytes.append(bytes: value)
    } else {
      try snapshot.proveAbsence(of: key.rawSpan, in: table)
    }
  }
}
