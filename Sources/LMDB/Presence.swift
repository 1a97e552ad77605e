#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Tells other processes that this one has an environment open, even if it has lost LMDB's own lock.
///
/// LMDB knows who has an environment open by record locks on its lock file. POSIX drops a process's record locks on a
/// file as soon as the process closes *any* descriptor of it: a program that copies the directory of its own open
/// environment has lost them. The next process to open it would believe that it is alone, and make the lock file anew
/// under a writer that is in the middle of a commit. So each process also has a shared lock on the directory, which only
/// closing the environment releases. A process that opens finds that lock without LMDB's, and is refused.
///
/// A process that has lost LMDB's lock takes it again when it next begins to write; nothing happened to it meanwhile,
/// because all others were refused.
final class Presence: Sendable {
  private let directory: DirectoryLock
  /// A descriptor of the lock file, through which this process sees its own record locks; -1 if it cannot be opened.
  private let descriptor: CInt

  /// How long a process that is just opening or closing the environment may stand without LMDB's lock.
  private static let patience = Duration.seconds(1)

  /// Lets other processes open the environment too, now that LMDB has its locks.
  ///
  /// - Parameter directory: What ``admit(to:_:)`` returned.
  init(_ directory: DirectoryLock, _ lockFile: LockFile) {
    self.directory = directory
    directory.lock(.shared)
    descriptor = open(lockFile.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
  }

  /// Ends it; LMDB must have closed the environment, because this drops LMDB's locks.
  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Waits until the environment may be opened: by this process alone, or beside others that have their locks.
  ///
  /// - Throws: `LMDBError` of kind `lockLost` if a process has the environment open without LMDB's lock.
  static func admit(to path: String, _ lockFile: LockFile) throws(LMDBError) -> DirectoryLock {
    let directory = try DirectoryLock(path, .openEnvironment)
    let deadline = ContinuousClock.now + patience
    while !directory.tryLock(.exclusive, orWithoutLocks: true) {
      if lockFile.isHeld() {
        directory.lock(.shared)
        break
      }
      guard ContinuousClock.now < deadline else {
        let holders = directory.holders().joined(separator: ", ")
        throw LMDBError(.lockLost, .openEnvironment, path: path, detail: holders.isEmpty ? "" : "(\(holders))")
      }
      usleep(1_000)
    }
    return directory
  }

  /// Whether any process has the environment in a directory open, this one included.
  ///
  /// A directory that is not there has none.
  static func isAnywhere(in path: String) -> Bool {
    guard let directory = try? DirectoryLock(path, .openEnvironment) else { return false }
    return !directory.tryLock(.exclusive, orWithoutLocks: true)
  }

  /// Waits until no process has the environment in a directory open, for a second at most, and keeps others out while
  /// the lock that is returned lives; nil if a process has it open all the time.
  static func exclusion(of path: String) throws(LMDBError) -> DirectoryLock? {
    let directory = try DirectoryLock(path, .openEnvironment)
    let deadline = ContinuousClock.now + patience
    while !directory.tryLock(.exclusive, orWithoutLocks: true) {
      guard ContinuousClock.now < deadline else { return nil }
      usleep(1_000)
    }
    return directory
  }

  /// Takes LMDB's locks again if this process has lost them.
  func restoreLocks() {
    guard descriptor >= 0, !hasOwnLock() else { return }
    // As LMDB takes them: the first byte says that the environment is open, the one at the number of the process that
    // the process and its readers live.
    setLock(F_RDLCK, at: 0)
    setLock(F_WRLCK, at: getpid())
  }

  private func hasOwnLock() -> Bool {
    #if canImport(Darwin)
      return true
    #else
      // A lock of an open file description conflicts with all record locks, those of the same process included.
      let inspectDescriptionLock: CInt = 36
      var lock = Presence.lock(F_WRLCK, at: getpid())
      guard fcntl(descriptor, inspectDescriptionLock, &lock) == 0 else { return true }
      return lock.l_type != Int16(F_UNLCK)
    #endif
  }

  private func setLock(_ type: CInt, at start: CInt) {
    var lock = Presence.lock(type, at: start)
    // Another process may be checking the lock just now; the next write tries again.
    _ = fcntl(descriptor, F_SETLK, &lock)
  }

  /// A record lock of one byte.
  static func lock(_ type: CInt, at start: CInt) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(start)
    lock.l_len = 1
    return lock
  }
}
