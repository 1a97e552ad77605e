import DaybookEngine
import DaybookModel
import LMDB

/// A file whose bytes become a large value.
///
/// It is opened for each piece: many values may wait for one commit, and a process has few descriptors.
struct FileContents: LargeValueSource {
  let path: String

  /// Returns the value of the file.
  ///
  /// - Throws: `StoreError` with the code `tooLarge`; `LMDBError`.
  func value() throws -> Value {
    let file = try RawFile(at: path)
    let size = file.sizeInBytes
    guard size <= LargeValue.maximumSizeInBytes else { throw StoreError(tooLarge: size) }
    guard let value = LargeValue(sha256: try Digest(of: file), size: size, source: self) else {
      return .data(try file.read(at: 0, count: size))
    }
    return .large(value)
  }

  func contains(_ value: LargeValue) throws -> Bool {
    let file = try RawFile(at: path)
    return try file.sizeInBytes == value.size && Digest(of: file) == value.sha256
  }

  func chunk(_ number: Int, of value: LargeValue) throws -> [UInt8] {
    try RawFile(at: path).read(at: number * LargeValue.chunkSizeInBytes, count: value.sizeOfChunk(number))
  }
}
