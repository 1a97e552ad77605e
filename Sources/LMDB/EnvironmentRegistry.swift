/// The files of all environments that are open in this process.
///
/// POSIX drops a process's record locks on a file as soon as the process closes *any* descriptor of it, and LMDB's locks
/// are such. So a file is looked up here by device and inode before it is opened, and the monitor is held until it is
/// either registered or refused. What code outside of this module opens cannot be found here; see ``Presence``.
enum EnvironmentRegistry {
  private static let monitor = Monitor()
  // Both are read and written inside the monitor only.
  nonisolated(unsafe) private static var files: Set<FileIdentity> = []
  /// The files of those that are being closed.
  nonisolated(unsafe) private static var closing: Set<FileIdentity> = []

  /// How long an opening waits for a close that is under way.
  private static let patience = Duration.seconds(30)

  /// Notes that files will be closed soon, so that their opening waits.
  static func noteClosing(_ identities: [FileIdentity]) {
    monitor.withLock { closing.formUnion(identities) }
  }

  /// Notes that files stay open, although they were to be closed.
  static func noteOpen(_ identities: [FileIdentity]) {
    monitor.withLock {
      closing.subtract(identities)
      monitor.wakeAll()
    }
  }

  /// Runs a closure that may open files, with the set of those that it must not open.
  ///
  /// - Parameter paths: What it opens. Where any of it is being closed, this waits until it is.
  static func withFiles<Result: ~Copyable>(
    opening paths: [String], _ body: (inout Set<FileIdentity>) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    try monitor.withLock { () throws(LMDBError) -> Result in
      let deadline = ContinuousClock.now + patience
      // Where the time is up, they count as open.
      while try isClosing(paths), ContinuousClock.now < deadline { monitor.wait(atMost: deadline - .now) }
      return try body(&files)
    }
  }

  /// Inside the monitor.
  private static func isClosing(_ paths: [String]) throws(LMDBError) -> Bool {
    guard !closing.isEmpty else { return false }
    for path in paths {
      if let identity = try FileIdentity(ofFileAt: path), closing.contains(identity) { return true }
    }
    return false
  }

  /// Forgets files that are no longer open.
  static func remove(_ identities: [FileIdentity]) {
    monitor.withLock {
      files.subtract(identities)
      closing.subtract(identities)
      monitor.wakeAll()
    }
  }
}
