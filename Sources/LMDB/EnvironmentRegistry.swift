/// The files of all environments that are open in this process.
///
/// POSIX drops a process's locks on a file as soon as the process closes *any* descriptor of it. A second environment
/// on the same file, or a plain `open` and `close` of its lock file, therefore lets a second writer in, and
/// acknowledged commits vanish. So a file is looked up here by device and inode before it is opened, and the lock is
/// held until it is either registered or refused.
enum EnvironmentRegistry {
  private static let monitor = Monitor()
  // Read and written inside the monitor only.
  nonisolated(unsafe) private static var files: Set<FileIdentity> = []

  /// Runs a closure that may open files, with the set of those that it must not open.
  static func withFiles<Result: ~Copyable>(
    _ body: (inout Set<FileIdentity>) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    try monitor.withLock { () throws(LMDBError) -> Result in try body(&files) }
  }

  /// Forgets files that are no longer open.
  static func remove(_ identities: [FileIdentity]) {
    monitor.withLock { files.subtract(identities) }
  }
}
