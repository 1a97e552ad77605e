#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Whether the path still leads to the open file.
///
/// The system lets a process write to a file without a name: after the removal of its directory, LMDB commits as before,
/// and every commit is lost when the last process closes the file. Where another directory took the path, other
/// processes read that one. Two calls of stat for each write transaction, about a microsecond each, detect both.
extension Environment {
  /// - Throws: `LMDBError` of kind `displaced` if the options require the path and it no longer leads to the data file.
  package func checkPlace() throws(LMDBError) {
    if let error = displacement(.beginWrite) { throw error }
  }

  /// Returns the error for a file that the path no longer leads to, or `nil`.
  func displacement(_ operation: LMDBError.Operation) -> LMDBError? {
    guard options.requiresPath else { return nil }
    #if !canImport(Darwin)
    if FileInspection.identity(ofFileAt: filePath) == identity { return nil }
    #endif
    var status = stat()
    if unsafe stat(filePath, &status) == 0 {
      return FileIdentity(status) == identity ? nil : refusal(.displaced, operation, detail: "(another one is there)")
    }
    switch errno {
    case ENOENT, ENOTDIR, ELOOP: return refusal(.displaced, operation)
    default:
      // A process that gave up its privileges may be unable to follow the path. Then only a file without any name is
      // known to be lost.
      guard unsafe fstat(dataDescriptor, &status) == 0, status.st_nlink == 0 else { return nil }
      return refusal(.displaced, operation)
    }
  }
}

/// Returns the path, which starts at the working directory if it is relative, as a C string.
///
/// It is not a `String`, because the name of the working directory may be bytes that are not UTF-8.
package func absolutePath(_ path: String) -> [CChar] {
  let bytes = path.utf8.map { CChar(bitPattern: $0) } + [0]
  guard path.utf8.first != UInt8(ascii: "/"), let directory = unsafe getcwd(nil, 0) else { return bytes }
  defer { unsafe free(directory) }
  return unsafe Array(UnsafeBufferPointer(start: directory, count: strlen(directory)))
    + [CChar(bitPattern: UInt8(ascii: "/"))] + bytes
}
