#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Creates a directory with its contents, so that a crash leaves either all of it or none.
///
///     try createDirectoryAtomically(at: path) { temporaryPath in
///         let environment = try Environment.open(at: temporaryPath)
///         try writeFirstRecord(environment)
///         environment.close()
///     }
///
/// A crash during LMDB's own creation of a file can leave a file that never opens again. So the directory is filled
/// under another name beside the final one, its files and the directory itself are flushed to the disk, and only then
/// the directory is renamed and the parent flushed. When this function returns, the directory survives the loss of
/// power. Only its owner can enter the directory.
///
/// After a crash the temporary directory remains; see ``UnfinishedDirectory``, which removes it.
///
/// - Parameters:
///   - path: The path of the new directory. Its parent must exist; the directory must not.
///   - fill: Creates the contents in the directory whose path is passed to it, and closes all that it opens there. If
///     it throws, its error is rethrown, and the contents are removed.
/// - Throws: `LMDBError` of kind `alreadyExists` if the path exists, even if it was created during this call.
package func createDirectoryAtomically(at path: String, _ fill: (String) throws -> Void) throws {
  if try FileIdentity(ofFileAt: path) != nil {
    throw LMDBError(.alreadyExists, .createDirectory, path: path)
  }
  let (parent, name) = splitPath(path)
  let temporary = try UnfinishedDirectory(in: parent, for: name)
  defer { temporary.remove() }
  try fill(temporary.path)
  try flushTree(temporary.path)
  try renameWithoutReplacing(temporary.path, to: path)
  try flushToDisk(parent, isDirectory: true)
}

/// Removes a file, or a directory with all its contents.
///
/// Symbolic links are removed, not followed.
package func removeTree(_ path: String) throws(LMDBError) {
  if try isDirectory(path) {
    for name in try directoryEntries(path) { try removeTree("\(path)/\(name)") }
    guard unsafe rmdir(path) == 0 else { throw LMDBError(code: errno, .removeFile, path: path) }
  } else {
    guard unsafe unlink(path) == 0 else { throw LMDBError(code: errno, .removeFile, path: path) }
  }
}

/// Returns the names in a directory, sorted by their bytes.
package func directoryEntries(_ path: String) throws(LMDBError) -> [String] {
  guard let stream = unsafe opendir(path) else { throw LMDBError(code: errno, .inspectFile, path: path) }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while let entry = unsafe readdir(stream) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}

/// Flushes a file's contents, or a directory's entries, to the disk.
///
/// - Throws: `LMDBError` of kind `alreadyOpen` for a file of an environment that is open in this process.
package func flushToDisk(_ path: String, isDirectory: Bool) throws(LMDBError) {
  try EnvironmentRegistry.withFiles(opening: [path]) { files throws(LMDBError) in
    if let identity = try FileIdentity(ofFileAt: path), files.contains(identity) {
      throw LMDBError(.alreadyOpen, .flushFile, path: path, detail: "(close the environment before)")
    }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (isDirectory ? O_DIRECTORY : O_NONBLOCK))
    guard descriptor >= 0 else { throw LMDBError(code: errno, .flushFile, path: path) }
    defer { close(descriptor) }
    guard flushDescriptor(descriptor) else { throw LMDBError(code: errno, .flushFile, path: path) }
  }
}

private func flushDescriptor(_ descriptor: CInt) -> Bool {
  #if canImport(Darwin)
  // Darwin's `fsync` does not flush the disk's own buffer.
  if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
  #endif
  return fsync(descriptor) == 0
}

private func flushTree(_ path: String) throws(LMDBError) {
  for name in try directoryEntries(path) {
    let entry = "\(path)/\(name)"
    if try isDirectory(entry) {
      try flushTree(entry)
    } else if name != "lock.mdb" {
      // The lock file has no meaning after a crash, and only LMDB may open it.
      try flushToDisk(entry, isDirectory: false)
    }
  }
  try flushToDisk(path, isDirectory: true)
}

private func isDirectory(_ path: String) throws(LMDBError) -> Bool {
  var status = stat()
  guard unsafe lstat(path, &status) == 0 else { throw LMDBError(code: errno, .inspectFile, path: path) }
  return status.st_mode & S_IFMT == S_IFDIR
}

/// Renames a file or directory within a file system, unless the new name exists.
///
/// The rename is not flushed to the disk; flush the parent directory with ``flushToDisk(_:isDirectory:)``.
///
/// - Throws: `LMDBError` of kind `alreadyExists` if something is at the target.
package func renameWithoutReplacing(_ source: String, to target: String) throws(LMDBError) {
  let code = renameExclusively(source, target)
  if code == 0 { return }
  let isUnsupported = code == EINVAL || code == ENOTSUP || code == ENOSYS
  guard isUnsupported else { throw LMDBError(code: code, .rename, path: target) }
  // On a file system without exclusive renames, a file or an empty directory created between the two calls is replaced.
  guard try FileIdentity(ofFileAt: target) == nil else { throw LMDBError(.alreadyExists, .rename, path: target) }
  guard unsafe rename(source, target) == 0 else { throw LMDBError(code: errno, .rename, path: target) }
}

/// Renames a file unless the target exists; returns 0 or an `errno`.
private func renameExclusively(_ source: String, _ target: String) -> CInt {
  #if canImport(Darwin)
  return renamex_np(source, target, UInt32(RENAME_EXCL)) == 0 ? 0 : errno
  #else
  // The C library has the function, but declares it only to programs that define `_GNU_SOURCE`.
  typealias Rename = @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt
  guard let symbol = unsafe dlsym(nil, "renameat2") else { return ENOSYS }
  let rename = unsafe unsafeBitCast(symbol, to: Rename.self)
  let withoutReplacing: CUnsignedInt = 1
  return unsafe rename(AT_FDCWD, source, AT_FDCWD, target, withoutReplacing) == 0 ? 0 : errno
  #endif
}

/// Splits a path into the parent directory and the last component.
package func splitPath(_ path: String) -> (parent: String, name: String) {
  var bytes = path.utf8[...]
  while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
  guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (".", String(bytes) ?? path) }
  let parent = bytes[..<slash]
  let name = bytes[bytes.index(after: slash)...]
  return (parent.isEmpty ? "/." : String(parent) ?? ".", String(name) ?? path)
}
