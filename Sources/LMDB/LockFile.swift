#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The file with LMDB's locks and its table of readers, before LMDB has it.
///
/// LMDB makes it without giving it room on the disk, and then writes to it through a map: where the disk is full, the
/// system answers with a signal that ends the process, perhaps only when the sixty-fourth reader begins. So the room is
/// taken beforehand, where a full disk is an error.
///
/// Only to be touched while this process does not have the environment open: closing any descriptor of the file drops
/// its locks.
struct LockFile {
  let path: String

  /// More than a lock file with the usual number of readers takes.
  private static let roomInBytes = 256 << 10

  /// Whether LMDB has made it.
  func exists() -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size > 0
  }

  /// Whether a process has LMDB's lock, which says that it has the environment open.
  func isHeld() -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var lock = Presence.lock(F_WRLCK, at: 0)
    return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  /// Makes sure that LMDB can make the file.
  ///
  /// - Throws: `LMDBError` of kind `diskFull`.
  func checkRoom() throws(LMDBError) {
    if let available = availableBytes(at: splitPath(path).parent), available < LockFile.roomInBytes {
      throw LMDBError(code: ENOSPC, .openEnvironment, path: path)
    }
  }

  /// Takes the room for all of the file that has none yet.
  ///
  /// Its size stays, so this does no harm beside processes that use it.
  ///
  /// - Throws: `LMDBError` of kind `diskFull`.
  func takeRoom() throws(LMDBError) {
    var status = stat()
    guard stat(path, &status) == 0, Int(status.st_blocks) * 512 < Int(status.st_size) else { return }
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    // LMDB will say what is wrong with it.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let code = allocate(descriptor, Int(status.st_size))
    guard code != ENOSPC, code != EDQUOT else { throw LMDBError(code: code, .openEnvironment, path: path) }
  }
}

/// Takes room on the disk for a file's first bytes; 0 or an `errno`.
///
/// Not `posix_fallocate`, which writes zeros where the file system cannot do it, perhaps over what another process wrote
/// just now.
private func allocate(_ descriptor: CInt, _ size: Int) -> CInt {
  #if canImport(Darwin)
    return ENOTSUP
  #else
    // The C library has the function, but declares it only to programs that ask for GNU's extensions.
    typealias Allocate = @convention(c) (CInt, CInt, off_t, off_t) -> CInt
    guard let symbol = dlsym(nil, "fallocate") else { return ENOSYS }
    return unsafeBitCast(symbol, to: Allocate.self)(descriptor, 0, 0, off_t(size)) == 0 ? 0 : errno
  #endif
}

/// How many bytes can still be written on the file system of a path; nil if nobody can say.
func availableBytes(at path: String) -> Int? {
  var figures = statvfs()
  return statvfs(path, &figures) == 0 ? availableBytes(figures) : nil
}

/// How many bytes can still be written on the file system of an open file; nil if nobody can say.
func availableBytes(forDescriptor descriptor: CInt) -> Int? {
  var figures = statvfs()
  return fstatvfs(descriptor, &figures) == 0 ? availableBytes(figures) : nil
}

private func availableBytes(_ figures: statvfs) -> Int? {
  // A part of the disk is kept for the superuser.
  let count = geteuid() == 0 ? figures.f_bfree : figures.f_bavail
  let (bytes, overflow) = UInt64(count).multipliedReportingOverflow(by: UInt64(figures.f_frsize))
  return overflow ? nil : Int(exactly: bytes)
}
