import CLMDB

extension Environment {
  /// Counts a use of the engine, which keeps map and engine in place until ``leave()``.
  ///
  /// Waits while the gate is closed.
  func enter(_ operation: LMDBError.Operation) throws(LMDBError) {
    try monitor.withLock { () throws(LMDBError) in
      while unsafe state.isGateClosed { monitor.wait() }
      try checkUsable(operation)
      unsafe state.useCount += 1
    }
  }

  func leave() {
    monitor.withLock {
      unsafe state.useCount -= 1
      if unsafe state.useCount == 0 { monitor.wakeAll() }
    }
  }

  /// Runs a closure that needs the engine but no transaction.
  func withUse<Result: ~Copyable>(
    _ operation: LMDBError.Operation, _ body: (OpaquePointer) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    try enter(operation)
    defer { leave() }
    return try unsafe body(engine)
  }

  /// Throws if the environment is closed or broken. Must be called inside the monitor.
  func checkUsable(_ operation: LMDBError.Operation) throws(LMDBError) {
    if unsafe state.isClosed { throw refusal(.closed, operation) }
    if unsafe state.isBroken { throw refusal(.panic, operation) }
  }

  /// Holds back new transactions and waits until the live ones have ended.
  ///
  /// If the live ones end in time, the gate stays closed; otherwise it is open again. Must be called inside the
  /// monitor.
  ///
  /// - Parameter passesWaitingWriter: Whether a writer that still waits for another process's need not end: it waits for
  ///   the gate too.
  func closeGate(waitingAtMost limit: Duration, passesWaitingWriter: Bool) -> Bool {
    let deadline = ContinuousClock.now + limit
    guard monitor.wait(atMost: limit, until: { unsafe !state.isGateClosed }) else { return false }
    unsafe state.isGateClosed = true
    let isQuiet = monitor.wait(atMost: deadline - .now) {
      unsafe state.useCount == 0 && (state.writer == nil || passesWaitingWriter && state.isWriterWaiting)
    }
    if !isQuiet { openGate() }
    return isQuiet
  }

  /// Must be called inside the monitor.
  func openGate() {
    unsafe state.isGateClosed = false
    monitor.wakeAll()
  }
}
