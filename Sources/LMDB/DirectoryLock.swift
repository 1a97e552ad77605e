#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A lock on a directory, which lasts until it is released or the process ends.
///
/// It belongs to one descriptor (`flock`), so the process keeps it whatever other descriptors of the directory and of
/// its files it opens and closes.
final class DirectoryLock: Sendable {
  enum Mode: Sendable {
    case shared, exclusive

    fileprivate var operation: CInt { self == .shared ? LOCK_SH : LOCK_EX }
  }

  let path: String
  private let descriptor: CInt

  /// Opens a directory, and locks nothing yet.
  init(_ path: String, _ operation: LMDBError.Operation) throws(LMDBError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(code: errno, operation, path: path) }
  }

  deinit { close(descriptor) }

  /// Takes the lock, or changes its mode, unless a descriptor of another opening has it.
  ///
  /// - Parameter answer: What is returned on a file system without such locks.
  /// - Returns: Whether it is held now.
  func tryLock(_ mode: Mode, orWithoutLocks answer: Bool) -> Bool {
    switch lockFile(descriptor, mode.operation | LOCK_NB) {
    case 0: true
    case EWOULDBLOCK: false
    default: answer
    }
  }

  /// Takes the lock, or changes its mode, and waits for descriptors that have it.
  func lock(_ mode: Mode) { _ = lockFile(descriptor, mode.operation) }

  /// The identity of the directory.
  func identity() -> FileIdentity? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
  }

  /// The processes that have the lock, each with its name, as far as the system tells.
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
