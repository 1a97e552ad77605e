import DaybookEngine
import DaybookModel
import LMDB

/// The index of the journal, brought up to date for a search, or rebuilt.
extension ProjectionKeeper {
  /// Adds the blocks that the index of the journal lacks.
  ///
  /// It does nothing in a store that can only be read, within a write of this thread, and while another writer has the
  /// lock: a search then reads the commits themselves.
  ///
  /// - Parameter limit: How long to wait for other writers; `nil` for as long as they write.
  /// - Complexity: O(*n*) for *n* bytes of commits that are not indexed: about 50 ns an event.
  package func bringCommitIndexUpToDate(
    waitingAtMost limit: Duration? = .zero, progress: ((StoreProgress) -> Void)? = nil
  ) throws {
    guard !files.isReadOnly, !isWritingOnThisThread else { return }
    do {
      while try growing({ try healing { try extendCommitIndex(limit, progress) } }) { try files.checkOpen() }
    } catch let error as LMDBError where error.kind == .writerBusy {
      // The next question tries again.
    }
  }

  /// - Returns: Whether blocks are missing still.
  private func extendCommitIndex(_ limit: Duration?, _ progress: ((StoreProgress) -> Void)?) throws -> Bool {
    let opened = currentProjections
    let isMissing = try opened.environment.withSnapshot { snapshot in
      guard let state = try opened.state(in: snapshot) else { return false }
      return try opened.commitIndexState(in: snapshot).blockCount < CommitBlock.count(in: state.checkpoint.position)
    }
    guard isMissing else { return false }
    var transaction = try beginWrite(to: opened, waitingAtMost: limit)
    guard let state = try opened.state(in: transaction.snapshot) else { return false }
    let head = state.checkpoint.position
    let total = CommitBlock.count(in: head)
    // The journal has the commits of the projections' checkpoint, because it is committed first.
    let isIncomplete = try files.journalEnvironment.withSnapshot { snapshot in
      try CommitIndexWriter(opened: opened).extend(
        in: &transaction, from: LMDBJournal(snapshot: snapshot, tables: files.journalTables), through: head,
        atMost: CommitIndexWriter.maximumLag
      ) { count in
        progress?(StoreProgress(activity: "indexing commits", completed: count, total: total, unit: "blocks"))
      }
    }
    try transaction.commit()
    return isIncomplete
  }

  /// Reads the blocks of the index of the journal that have a range of commits.
  ///
  /// - Returns: What `body` returns, or `nil` if the index has none of them; and the last commit of the index.
  package func readCommitIndex<Result>(
    from first: Position, through last: Position, _ body: (CommitIndexReader) throws -> Result
  ) throws -> (result: Result?, indexed: Position) {
    try healing {
      // Opened first: a transaction cannot use tables that were opened after it began.
      let table = try currentProjections.openCommitIndexTable()
      return try withProjections { projections in
        let state = try projections.opened.commitIndexState(in: projections.snapshot)
        let end = min(state.blockCount, CommitBlock(containing: last).number + 1)
        let start = CommitBlock(containing: first).number
        guard let table, start < end else { return (nil, state.position) }
        return (try body(CommitIndexReader(projections.snapshot, table, blocks: start..<end)), state.position)
      }
    }
  }

  /// Discards the rows of the index of the journal and makes them again.
  package func rebuildCommitIndex(progress: ((StoreProgress) -> Void)?) throws {
    try files.checkWritable()
    try growing {
      try healing {
        let opened = currentProjections
        var transaction = try beginWrite(to: opened)
        if let table = try transaction.openTable(CommitIndexRow.tableName, create: false) {
          try transaction.clear(table)
        }
        try transaction.put(CommitIndexState.key, CommitIndexState.empty.bytes, in: opened.stateTable)
        try transaction.commit()
      }
    }
    try bringCommitIndexUpToDate(waitingAtMost: nil, progress: progress)
  }
}
