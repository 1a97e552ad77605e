#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A lock on a directory, which lasts until it is released or the process ends.
///
/// It belongs to one descriptor (`flock`), so the process keeps it even when it opens and closes other descriptors of
/// the directory or of its files.
package final class DirectoryLock: Sendable {
  package enum Mode: Sendable {
    case shared, exclusive

    fileprivate var operation: CInt { self == .shared ? LOCK_SH : LOCK_EX }
  }

  let path: String
  private let descriptor: CInt

  /// Opens a directory without locking it.
  package init(_ path: String, _ operation: LMDBError.Operation) throws(LMDBError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(code: errno, operation, path: path) }
  }

  deinit {
    // A child process between `fork` and `exec` still has the descriptor, and closing this one would not release the lock.
    _ = lockFile(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Acquires the lock, or changes its mode, unless a descriptor of another opening holds it.
  ///
  /// - Parameter answer: The result on a file system without such locks.
  /// - Returns: Whether this descriptor holds the lock in the mode.
  package func tryLock(_ mode: Mode, orWithoutLocks answer: Bool) -> Bool {
    switch lockFile(descriptor, mode.operation | LOCK_NB) {
    case 0: true
    case EWOULDBLOCK: false
    default: answer
    }
  }

  /// Acquires the lock, or changes its mode; waits for other descriptors that hold it.
  func lock(_ mode: Mode) { _ = lockFile(descriptor, mode.operation) }

  /// The identity of the directory.
  func identity() -> FileIdentity? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
  }

  /// Returns the processes that hold the lock, with their names, if the system provides them.
  func holders() -> [String] {
    guard let identity = identity(), let locks = readSmallFile("/proc/locks") else { return [] }
    let pids = locks.split(separator: "\n").compactMap { line -> Int? in
      // 1: FLOCK  ADVISORY  READ 1234 fe:00:98765 0 EOF
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK", words[5].split(separator: ":").last == "\(identity.inode)"
      else { return nil }
      return Int(words[4])
    }
    return Set(pids).sorted().map { pid in
      let name = readSmallFile("/proc/\(pid)/comm")?.split(separator: "\n").first.map { " (\($0))" } ?? ""
      return "process \(pid)\(name)"
    }
  }
}

/// Locks a file, or releases it; returns 0 or an `errno`.
func lockFile(_ descriptor: CInt, _ operation: CInt) -> CInt {
  while flock(descriptor, operation) != 0 {
    if errno != EINTR { return errno }
  }
  return 0
}
