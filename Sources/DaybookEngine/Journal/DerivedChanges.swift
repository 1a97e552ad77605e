import DaybookModel
import LMDB

/// What a projection changed in its derived entities, by the commit that caused it.
///
/// A row has the events of one commit in the form of a commit's body. A commit that changed no derived object has no
/// row.
package struct DerivedChanges {
  private let table: Table
  private let snapshot: TransactionSnapshot

  package init(_ table: Table, in snapshot: TransactionSnapshot) {
    (self.table, self.snapshot) = (table, snapshot)
  }

  /// Returns the key of a commit's row.
  package static func key(of position: Position) -> [UInt8] {
    var key: [UInt8] = []
    key.appendFixed(position.number)
    return key
  }

  /// Appends the events of a commit.
  ///
  /// - Throws: `LMDBError` if the row is damaged, or damage may hide it.
  func appendEvents(at position: Position, to bytes: inout [UInt8]) throws(LMDBError) {
    let key = DerivedChanges.key(of: position)
    if let value = try snapshot.value(for: key.rawSpan, in: table) {
      bytes.append(bytes: value)
    } else {
      try snapshot.proveAbsence(of: key.rawSpan, in: table)
    }
  }
}
