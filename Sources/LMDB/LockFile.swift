#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file with LMDB's locks and its table of readers, before LMDB opens it.
///
/// LMDB creates the file without allocating its space on the disk, and then writes to it through a map: if the disk is
/// full, the system sends a signal that ends the process, perhaps only when the sixty-fourth reader begins. So the
/// space is allocated beforehand, where a full disk is an error.
///
/// The file may be opened only while this process does not have the environment open: closing any descriptor of the
/// file drops its locks.
struct LockFile {
  let path: String

  /// More than the size of a lock file with the usual number of readers.
  private static let roomInBytes = 256 << 10

  /// Returns whether LMDB has created the file.
  func exists() -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_size > 0
  }

  /// Returns whether a process holds LMDB's lock, which shows that it has the environment open.
  func isHeld() -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var lock = Presence.lock(F_WRLCK, at: 0)
    return unsafe fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  /// Checks that the disk has room for the file.
  ///
  /// - Throws: `LMDBError` of kind `diskFull`.
  func checkRoom() throws(LMDBError) {
    if let available = availableBytes(at: splitPath(path).parent), available < LockFile.roomInBytes {
      throw LMDBError(code: ENOSPC, .openEnvironment, path: path)
    }
  }

  /// Allocates disk space for all parts of the file that have none.
  ///
  /// The file's size stays, so this is safe while other processes use the file.
  ///
  /// - Throws: `LMDBError` of kind `diskFull`.
  func takeRoom() throws(LMDBError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, Int(status.st_blocks) * 512 < Int(status.st_size) else { return }
    let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    // LMDB reports what is wrong with the file.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let code = allocate(descriptor, Int(status.st_size))
    guard code != ENOSPC, code != EDQUOT else { throw LMDBError(code: code, .openEnvironment, path: path) }
  }
}

/// Allocates disk space for a file's first bytes; returns 0 or an `errno`.
///
/// It does not use `posix_fallocate`, which writes zeros where the file system cannot allocate, perhaps over bytes just
/// written by another process.
private func allocate(_ descriptor: CInt, _ size: Int) -> CInt {
  #if canImport(Darwin)
  return ENOTSUP
  #else
  // The C library has the function, but declares it only to programs that define `_GNU_SOURCE`.
  typealias Allocate = @convention(c) (CInt, CInt, off_t, off_t) -> CInt
  guard let symbol = unsafe dlsym(nil, "fallocate") else { return ENOSYS }
  return unsafe unsafeBitCast(symbol, to: Allocate.self)(descriptor, 0, 0, off_t(size)) == 0 ? 0 : errno
  #endif
}

/// Returns the bytes available on the file system of a path, or `nil` if they are unknown.
func availableBytes(at path: String) -> Int? {
  var figures = statvfs()
  return unsafe statvfs(path, &figures) == 0 ? availableBytes(figures) : nil
}

/// Returns the bytes available on an open file's file system, or `nil` if they are unknown.
func availableBytes(forDescriptor descriptor: CInt) -> Int? {
  var figures = statvfs()
  return unsafe fstatvfs(descriptor, &figures) == 0 ? availableBytes(figures) : nil
}

private func availableBytes(_ figures: statvfs) -> Int? {
  // A part of the disk is reserved for the superuser.
  let count = geteuid() == 0 ? figures.f_bfree : figures.f_bavail
  let (bytes, overflow) = UInt64(count).multipliedReportingOverflow(by: UInt64(figures.f_frsize))
  return overflow ? nil : Int(exactly: bytes)
}
