#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Shows other processes that this one has an environment open, even without LMDB's lock.
///
/// LMDB uses record locks on its lock file to find out which processes have an environment open. POSIX drops a
/// process's record locks on a file as soon as the process closes *any* descriptor of it: a program that copies the
/// directory of its own open environment loses them. The next process to open the environment would see no other user,
/// and reset the lock file while a writer is in the middle of a commit. So each process also holds a shared lock
/// on the directory, which only closing the environment releases. A process that finds that lock without LMDB's on
/// opening is refused.
///
/// A process that has lost LMDB's lock acquires it again when it next begins to write; this is safe, because all other
/// processes were refused until then.
final class Presence: Sendable {
  private let directory: DirectoryLock
  /// A descriptor of the lock file, which shows this process its own record locks.
  ///
  /// -1 if it cannot be opened.
  private let descriptor: CInt
  /// This process; an environment is not used after a fork.
  private let process = getpid()

  /// How long a process that is opening or closing the environment may lack LMDB's lock.
  private static let patience = Duration.seconds(1)

  /// Lets other processes open the environment too, once LMDB has its locks.
  ///
  /// - Parameter directory: The result of ``admit(to:_:)``.
  init(_ directory: DirectoryLock, _ lockFile: LockFile) {
    self.directory = directory
    directory.lock(.shared)
    descriptor = unsafe open(lockFile.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
  }

  /// Releases the locks.
  ///
  /// LMDB must have closed the environment, because this drops LMDB's locks.
  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Waits until this process may open the environment.
  ///
  /// It may open it alone, or with other processes that have their locks.
  ///
  /// - Throws: `LMDBError` of kind `lockLost` if a process has the environment open without LMDB's lock.
  static func admit(to path: String, _ lockFile: LockFile) throws(LMDBError) -> DirectoryLock {
    let directory = try DirectoryLock(path, .openEnvironment)
    var isHeld = false
    let isAlone = waitForExclusion(directory) {
      isHeld = lockFile.isHeld()
      return isHeld
    }
    if isAlone { return directory }
    guard isHeld else {
      let holders = directory.holders().joined(separator: ", ")
      throw LMDBError(.lockLost, .openEnvironment, path: path, detail: holders.isEmpty ? "" : "(\(holders))")
    }
    directory.lock(.shared)
    return directory
  }

  /// Returns whether any process, including this one, has the environment in a directory open.
  ///
  /// The result is `false` if the directory does not exist.
  static func isAnywhere(in path: String) -> Bool {
    guard let directory = try? DirectoryLock(path, .openEnvironment) else { return false }
    return !directory.tryLock(.exclusive, orWithoutLocks: true)
  }

  /// Waits until no process has the environment in a directory open, and excludes others while the lock lives.
  ///
  /// - Returns: The lock, or `nil` if a process has the environment open for all of ``patience``.
  static func exclusion(of path: String) throws(LMDBError) -> DirectoryLock? {
    let directory = try DirectoryLock(path, .openEnvironment)
    return waitForExclusion(directory, unless: { false }) ? directory : nil
  }

  /// Waits for the exclusive lock, for ``patience`` at most.
  ///
  /// - Parameter isFutile: Whether the lock need not be waited for any more.
  /// - Returns: Whether the lock is acquired.
  private static func waitForExclusion(_ directory: DirectoryLock, unless isFutile: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + patience
    while !directory.tryLock(.exclusive, orWithoutLocks: true) {
      if isFutile() || ContinuousClock.now >= deadline { return false }
      usleep(1_000)
    }
    return true
  }

  /// Acquires LMDB's locks again if this process has lost them.
  func restoreLocks() {
    guard descriptor >= 0, !hasOwnLock() else { return }
    // The same locks as LMDB's: the first byte shows that the environment is open, the byte at the process's number
    // that the process and its readers are alive.
    setLock(F_RDLCK, at: 0)
    setLock(F_WRLCK, at: process)
  }

  private func hasOwnLock() -> Bool {
    #if canImport(Darwin)
    return true
    #else
    // A lock of an open file description conflicts with all record locks, including this process's own.
    let inspectDescriptionLock: CInt = 36
    var lock = Presence.lock(F_WRLCK, at: process)
    guard unsafe fcntl(descriptor, inspectDescriptionLock, &lock) == 0 else { return true }
    return lock.l_type != Int16(F_UNLCK)
    #endif
  }

  private func setLock(_ type: CInt, at start: CInt) {
    var lock = Presence.lock(type, at: start)
    // Another process may be checking the lock; the next write tries again.
    _ = unsafe fcntl(descriptor, F_SETLK, &lock)
  }

  /// Returns a record lock of one byte.
  static func lock(_ type: CInt, at start: CInt) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(start)
    lock.l_len = 1
    return lock
  }
}
