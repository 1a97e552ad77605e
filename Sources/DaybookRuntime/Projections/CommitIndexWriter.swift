import DaybookEngine
import DaybookModel
import LMDB

/// Adds the blocks of commits that a journal has completed to the index of the journal.
struct CommitIndexWriter {
  let opened: OpenProjections
  /// The terms of commits that the journal has, which are then not read.
  var draft = CommitIndexDraft()

  /// The most blocks that a write adds.
  ///
  /// The blocks of a store whose index is further behind are left to the next search, so that other writers do not wait.
  static let maximumLag: UInt64 = 1_024

  /// The memory that rows may take before they are flushed.
  private static let maximumSizeInBytes = 16 << 20

  /// Adds blocks to the index.
  ///
  /// - Parameters:
  ///   - head: The last commit that may be indexed.
  ///   - limit: The most blocks to add.
  /// - Returns: Whether blocks are missing still.
  func extend(
    in transaction: inout WriteTransaction, from journal: some Journal, through head: Position, atMost limit: UInt64,
    progress: (UInt64) -> Void = { _ in }
  ) throws -> Bool {
    var state = try opened.commitIndexState(in: transaction.snapshot)
    let wanted = CommitBlock.count(in: head)
    guard state.blockCount < wanted else { return false }
    guard let table = try transaction.openTable(CommitIndexRow.tableName, create: true) else {
      preconditionFailure("A table that is created when it is missing is there.")
    }
    // The table may hold rows of another version.
    if state.blockCount == 0 { try transaction.clear(table) }
    let end = min(wanted, state.blockCount + min(limit, wanted))
    var indexer = CommitIndexer(knowing: draft)
    let rows = MemoryTable()
    while state.blockCount < end {
      for row in try indexer.rows(of: CommitBlock(state.blockCount), in: journal) {
        rows.put(row.key, row.value.rawSpan)
      }
      state.blockCount += 1
      progress(state.blockCount)
      if rows.sizeInBytes > CommitIndexWriter.maximumSizeInBytes { try flush(rows, into: table, &transaction) }
    }
    try flush(rows, into: table, &transaction)
    if indexer.hasLeftOut { state.omittingFormat = JournalMeta.formatVersion }
    try transaction.put(CommitIndexState.key, state.bytes, in: opened.stateTable)
    return state.blockCount < wanted
  }

  private func flush(_ rows: MemoryTable, into table: Table, _ transaction: inout WriteTransaction) throws {
    try transaction.flush(rows, into: table)
    rows.removeAll()
  }

  /// Adds the blocks that the commits of a write have completed, unless the index is far behind.
  func extend(
    in transaction: inout WriteTransaction, from journal: some Journal, after start: Position, through head: Position
  ) throws {
    guard CommitBlock.count(in: start) < CommitBlock.count(in: head) else { return }
    let state = try opened.commitIndexState(in: transaction.snapshot)
    guard
      CommitBlock.count(in: head) - min(state.blockCount, CommitBlock.count(in: head)) <= CommitIndexWriter.maximumLag
    else { return }
    _ = try extend(in: &transaction, from: journal, through: head, atMost: CommitIndexWriter.maximumLag)
  }
}
