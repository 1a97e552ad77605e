import DaybookEngine
import DaybookModel
import LMDB

/// The index of the journal, which is kept in the projections' file and is no part of any state.
extension OpenProjections {
  /// Returns how far the index of the journal has come; the empty state if it has no rows, or rows of another version.
  func commitIndexState(in snapshot: TransactionSnapshot) throws -> CommitIndexState {
    guard let row = try snapshot.value(for: CommitIndexState.key, in: stateTable) else { return .empty }
    return CommitIndexState(row) ?? .empty
  }

  /// Returns the table of the index, or `nil` if the file has none yet.
  ///
  /// A transaction can use it only if it begins after this call.
  func openCommitIndexTable() throws -> Table? {
    try environment.openTables([CommitIndexRow.tableName])[0]
  }
}
