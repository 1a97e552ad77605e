import CLMDB
import WorkLimits

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Environment {
  /// The number of idle reader slots kept, while at most half of all slots were ever in use.
  ///
  /// Beyond that one slot is kept, so that idle processes do not keep the slots from other processes.
  private static let maximumIdleReaderCount = 32

  /// Begins to read the last commit; later commits are not visible.
  ///
  /// Beginning is cheap: a former slot is used again. While the transaction is live, freed pages cannot be used again,
  /// and the file grows by some 24 KiB with every commit: keep the transaction short, and never wait for anything in
  /// it.
  ///
  /// - Throws: `LMDBError`: `readersFull` if living processes have all slots, `mapResized` or `busy` if another process
  ///   enlarged the file and this process's transactions did not end in time, `closed`; `timeLimit` or `cancelled` if the
  ///   present limit of work is exceeded.
  package func beginRead() throws(LMDBError) -> ReadTransaction {
    // Work in many short transactions counts too few steps in each.
    do {
      try WorkLimit.check()
    } catch {
      throw LMDBError(error, .beginRead, path: path)
    }
    let transaction = try unsafe beginReader()
    let found = monitor.withLock { unsafe state.tables.foundTables(at: mdb_txn_id(transaction)) }
    return unsafe ReadTransaction(TransactionSnapshot(self, transaction, found))
  }

  /// Calls `body` with the snapshot of a read transaction, which ends with the call.
  package func withSnapshot<Result>(_ body: (TransactionSnapshot) throws -> Result) throws -> Result {
    let transaction = try beginRead()
    let result: Result
    do {
      result = try body(transaction.snapshot)
    } catch {
      transaction.end()
      throw error
    }
    transaction.end()
    return result
  }

  /// Begins to write; waits for the writers of this and other processes.
  ///
  /// The transaction must end on the thread that began it.
  ///
  /// - Parameter limit: How long to wait for other writers; `nil` for as long as they write.
  /// - Throws: `LMDBError`: `nestedWrite` if this thread has one already, `writerBusy` if others write for longer than the
  ///   limit, `mapResized` or `busy` as for ``beginRead()``, `panic` if an earlier commit failed on the disk, `displaced` if
  ///   the options require the path and it no longer leads to the file, `closed`.
  package func beginWrite(waitingAtMost limit: Duration? = nil) throws(LMDBError) -> WriteTransaction {
    try checkPlace()
    let end = limit.map { ContinuousClock.now + $0 }
    var attempt = 0
    while true {
      attempt += 1
      try becomeWriter(until: end)
      freeDeadReaders()
      var transaction: OpaquePointer?
      let code = unsafe mdb_txn_begin(engine, nil, 0, &transaction)
      if code == 0, let transaction = unsafe transaction {
        return unsafe WriteTransaction(TransactionSnapshot(self, transaction))
      }
      endWriter()
      guard code == MDB_MAP_RESIZED, attempt < 4 else { throw failure(code, .beginWrite) }
      try adoptMapSize(.beginWrite)
    }
  }

  /// Begins the transaction after one that has ended, while the locks of the writer are kept.
  func beginNextWrite() throws(LMDBError) -> OpaquePointer {
    var transaction: OpaquePointer?
    let code = unsafe mdb_txn_begin(engine, nil, 0, &transaction)
    guard code == 0, let transaction = unsafe transaction else { throw failure(code, .beginWrite) }
    return unsafe transaction
  }

  /// Registers this thread as the writer.
  ///
  /// It waits inside the process instead of inside LMDB, so that a waiting thread does not count as a live transaction
  /// when the map has to grow.
  private func becomeWriter(until end: ContinuousClock.Instant?) throws(LMDBError) {
    let thread = ThreadIdentity.current
    try monitor.withLock { () throws(LMDBError) in
      while true {
        try checkUsable(.beginWrite)
        if unsafe state.writer == thread { throw refusal(.nestedWrite, .beginWrite) }
        if unsafe state.writer == nil, unsafe !state.isGateClosed { break }
        guard let end else {
          monitor.wait()
          continue
        }
        guard ContinuousClock.now < end else { throw refusal(.writerBusy, .beginWrite) }
        _ = monitor.wait(atMost: end - .now) { unsafe state.writer == nil && !state.isGateClosed }
      }
      unsafe (state.writer, state.isWriterWaiting) = (thread, true)
    }
    presenceToExamine()?.restoreLocks()
    guard lockData(until: end) else {
      // The lock is another process's, and stays locked.
      monitor.withLock {
        unsafe (state.writer, state.isWriterWaiting) = (nil, false)
        monitor.wakeAll()
      }
      throw refusal(.writerBusy, .beginWrite)
    }
    // Meanwhile others of this process may have begun what must not overlap with the transaction.
    monitor.withLock {
      while unsafe state.isGateClosed || state.isOpeningTables { monitor.wait() }
      unsafe state.isWriterWaiting = false
    }
  }

  /// How often a writer looks whether this process has lost LMDB's locks, at most.
  ///
  /// The call takes a part of a commit that is not flushed, and other processes wait for a second for the locks.
  private static let presenceInterval = Duration.milliseconds(1)

  /// Returns what restores this process's locks, unless a writer examined them a moment ago.
  private func presenceToExamine() -> Presence? {
    let now = ContinuousClock.now
    return monitor.withLock {
      if let examined = unsafe state.presenceExamined, now - examined < Self.presenceInterval { return nil }
      unsafe state.presenceExamined = now
      return unsafe state.presence
    }
  }

  /// Locks the data file against writers of other processes, before LMDB reads the last commit: this lock excludes them
  /// where LMDB's lock was lost. The system releases it when the process ends.
  ///
  /// - Returns: Whether the lock was free in time.
  private func lockData(until end: ContinuousClock.Instant?) -> Bool {
    guard let end else {
      _ = lockFile(dataDescriptor, LOCK_EX)
      return true
    }
    // The system has no lock that waits for a time.
    while lockFile(dataDescriptor, LOCK_EX | LOCK_NB) == EWOULDBLOCK {
      if ContinuousClock.now >= end { return false }
      usleep(Environment.lockIntervalInMicroseconds)
    }
    return true
  }

  /// How often a writer that waits for a limited time looks whether the lock is free.
  private static let lockIntervalInMicroseconds: UInt32 = 2_000

  /// LMDB's descriptor of the data file; closing another descriptor does not drop its lock.
  var dataDescriptor: CInt {
    var descriptor: CInt = -1
    unsafe mdb_env_get_fd(engine, &descriptor)
    return descriptor
  }

  /// Frees the reader slots of dead processes, if the check is due.
  ///
  /// Must be called by the writer.
  ///
  /// The snapshot of a dead reader would keep all later free pages from being used again.
  private func freeDeadReaders() {
    let now = ContinuousClock.now
    let isDue = monitor.withLock {
      guard unsafe now - state.readersChecked >= options.readerCheckInterval else { return false }
      unsafe state.readersChecked = now
      return true
    }
    // The check fails only if the lock file cannot be locked; the transaction that follows then reports the error.
    guard isDue else { return }
    unsafe mdb_reader_check(engine, nil)
    guard let afterReaderCheck = options.afterReaderCheck else { return }
    // As for the check, a failure is reported by the transaction that follows.
    if let readers = monitor.withLock({ unsafe Self.listReaders(engine) }) { afterReaderCheck(readers) }
  }

  func endWriter() {
    _ = lockFile(dataDescriptor, LOCK_UN)
    monitor.withLock {
      unsafe state.writer = nil
      monitor.wakeAll()
    }
  }

  /// Begins a read transaction of LMDB and counts it as a use.
  func beginReader() throws(LMDBError) -> OpaquePointer {
    var attempt = 0
    while true {
      attempt += 1
      var idle = try unsafe enterTakingIdleReader()
      var code: CInt = 0
      if let reader = unsafe idle {
        code = unsafe mdb_txn_renew(reader)
        if code == 0 { return unsafe reader }
        // The slot was freed while this process had lost its locks, and may belong to another process: leave it alone,
        // with its memory.
        if code != MDB_BAD_RSLOT { unsafe mdb_txn_abort(reader) }
      } else {
        code = unsafe mdb_txn_begin(engine, nil, UInt32(bitPattern: MDB_RDONLY), &idle)
        if code == 0, let reader = unsafe idle { return unsafe reader }
      }
      if code == MDB_READERS_FULL { unsafe mdb_reader_check(engine, nil) }
      leave()
      if code == MDB_BAD_RSLOT, unsafe idle != nil { continue }
      guard attempt < 4, code == MDB_MAP_RESIZED || (code == MDB_READERS_FULL && attempt == 1) else {
        throw failure(code, .beginRead)
      }
      if code == MDB_MAP_RESIZED { try adoptMapSize(.beginRead) }
    }
  }

  private func enterTakingIdleReader() throws(LMDBError) -> OpaquePointer? {
    try unsafe monitor.withLock { () throws(LMDBError) in
      while unsafe state.isGateClosed { monitor.wait() }
      try checkUsable(.beginRead)
      unsafe state.useCount += 1
      return unsafe state.idleReaders.popLast()
    }
  }

  /// Ends a read transaction, and keeps its slot for the next one if there is room.
  ///
  /// - Parameter found: The tables that the transaction has found.
  func endReader(_ transaction: OpaquePointer, _ found: FoundTables) {
    unsafe mdb_txn_reset(transaction)
    var figures = unsafe MDB_envinfo()
    unsafe mdb_env_info(engine, &figures)
    let isCrowded = unsafe figures.me_numreaders > figures.me_maxreaders / 2
    let isKept = monitor.withLock {
      unsafe state.tables.add(found)
      let isKept = unsafe state.idleReaders.count < (isCrowded ? 1 : Self.maximumIdleReaderCount)
      if isKept {
        unsafe state.idleReaders.append(transaction)
        leaveInside()
      }
      return isKept
    }
    guard !isKept else { return }
    // The transaction is still counted as a use, so that the environment is not closed during the call.
    unsafe mdb_txn_abort(transaction)
    leave()
  }

  private func leaveInside() {
    unsafe state.useCount -= 1
    if unsafe state.useCount == 0 { monitor.wakeAll() }
  }
}
