import DaybookEngine
import Foundation
import LMDB

/// Copies a file that is not being written into a new one that only its owner can read.
///
/// - Throws: `LMDBError` if the file cannot be read; `StoreError`: `exists` if the target exists, `full`,
///   `inputOutput`.
func copyFile(_ source: String, to target: String, progress: ((StoreProgress) -> Void)?) throws {
  let file = try RawFile(at: source)
  let output = try NewFile(at: target)
  defer { output.close() }
  let size = file.sizeInBytes
  let pieceSize = 1 << 20
  var offset = 0
  while offset < size {
    let piece = try file.read(at: offset, count: min(pieceSize, size - offset))
    try output.write(piece)
    offset += piece.count
    progress?(StoreProgress(activity: "copying", completed: UInt64(offset), total: UInt64(size), unit: "bytes"))
  }
}

/// A new file that only its owner can read.
struct NewFile {
  let path: String
  let descriptor: CInt

  /// - Throws: `StoreError` with the code `exists` if the path exists.
  init(at path: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(systemError: errno, "create", path) }
  }

  func write(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        return Foundation.write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw StoreError(systemError: errno, "write", path)
      }
      done += count
    }
  }

  /// Flushes the written bytes to disk.
  func flush() throws {
    guard fsync(descriptor) == 0 else { throw StoreError(systemError: errno, "flush", path) }
  }

  /// Closes the file. Call it once.
  func close() { _ = Foundation.close(descriptor) }
}
