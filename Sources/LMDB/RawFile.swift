#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A regular file that is read with ordinary reads at given offsets.
///
/// It never opens a file of an environment that is open in this process, because closing it could drop the
/// environment's lock (see `EnvironmentRegistry`); read through `Environment.readPages(at:into:)` instead.
package struct RawFile: ~Copyable {
  /// The path, as passed by the caller.
  package let path: String
  package let identity: FileIdentity
  /// The size at the time of opening.
  package let sizeInBytes: Int
  let descriptor: CInt

  /// Opens a file for reading.
  ///
  /// - Throws: `LMDBError`: `alreadyOpen` for a file of an environment that is open in this process, `notRegularFile`.
  package init(at path: String) throws(LMDBError) {
    let (descriptor, status) = try EnvironmentRegistry.withFiles(opening: [path]) {
      files throws(LMDBError) -> (CInt, stat) in
      if let identity = try FileIdentity(ofFileAt: path), files.contains(identity) {
        throw LMDBError(.alreadyOpen, .readFile, path: path)
      }
      // Open without waiting: opening a pipe would wait for a writer.
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw LMDBError(code: errno, .readFile, path: path) }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else { throw LMDBError(code: errno, .readFile, path: path) }
      if files.contains(FileIdentity(status)) {
        // An open file was moved here after the check. Closing the descriptor would drop its locks.
        throw LMDBError(.alreadyOpen, .readFile, path: path)
      }
      return (descriptor, status)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw LMDBError(.notRegularFile, .readFile, path: path)
    }
    self.path = path
    self.descriptor = descriptor
    identity = FileIdentity(status)
    sizeInBytes = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Reads bytes at an offset.
  ///
  /// - Returns: The number of bytes read; less than requested only at the end of the file.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(LMDBError) -> Int {
    try unsafe readFully(descriptor, at: offset, into: buffer, path: path)
  }

  /// Reads exactly the number of bytes requested.
  ///
  /// - Throws: `LMDBError` of kind `endOfFile` if the file has fewer.
  package func read(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
    guard offset >= 0, count >= 0, count <= sizeInBytes, offset <= sizeInBytes - count else {
      throw LMDBError(.endOfFile, .readFile, path: path)
    }
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    var failure: LMDBError?
    unsafe bytes.withUnsafeMutableBytes { buffer in
      do throws(LMDBError) { done = try unsafe read(at: offset, into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    guard done == count else { throw LMDBError(.endOfFile, .readFile, path: path) }
    return bytes
  }
}
