/// The files of all environments that are open in this process.
///
/// POSIX drops a process's record locks on a file as soon as the process closes *any* descriptor of it, and LMDB uses
/// such locks. So a file is looked up here by device and inode before it is opened, and the monitor is held until the
/// file is either registered or refused. Files opened by code outside this module cannot be found here; see
/// ``Presence``.
enum EnvironmentRegistry {
  private static let monitor = Monitor()
  // Both are read and written inside the monitor only.
  nonisolated(unsafe) private static var files: Set<FileIdentity> = []
  /// The files of the environments that are being closed.
  nonisolated(unsafe) private static var closing: Set<FileIdentity> = []

  /// How long an opening waits for a close in progress.
  private static let patience = Duration.seconds(30)

  /// Registers files that will be closed soon, so that opening them waits.
  static func noteClosing(_ identities: [FileIdentity]) {
    monitor.withLock { unsafe closing.formUnion(identities) }
  }

  /// Registers that files stay open after a close that failed.
  static func noteOpen(_ identities: [FileIdentity]) {
    monitor.withLock {
      unsafe closing.subtract(identities)
      monitor.wakeAll()
    }
  }

  /// Runs a closure that may open files, with the set of files that it must not open.
  ///
  /// - Parameter paths: The files that the closure opens. If any of them is being closed, this method waits until it is
  ///   closed.
  static func withFiles<Result: ~Copyable>(
    opening paths: [String], _ body: (inout Set<FileIdentity>) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    try monitor.withLock { () throws(LMDBError) -> Result in
      let deadline = ContinuousClock.now + patience
      // When the time is up, the files count as open.
      while try isClosing(paths), ContinuousClock.now < deadline { monitor.wait(atMost: deadline - .now) }
      return try unsafe body(&files)
    }
  }

  /// Must be called inside the monitor.
  private static func isClosing(_ paths: [String]) throws(LMDBError) -> Bool {
    guard unsafe !closing.isEmpty else { return false }
    for path in paths {
      if let identity = try FileIdentity(ofFileAt: path), unsafe closing.contains(identity) { return true }
    }
    return false
  }

  /// Removes files that are closed.
  static func remove(_ identities: [FileIdentity]) {
    monitor.withLock {
      unsafe files.subtract(identities)
      unsafe closing.subtract(identities)
      monitor.wakeAll()
    }
  }
}
