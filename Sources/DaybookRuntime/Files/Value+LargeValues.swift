import DaybookEngine
import DaybookModel
import LMDB

extension Value {
  /// Returns the value with its bytes if it is a reference, and unchanged otherwise.
  ///
  ///     if case .data(let image) = try store.get(id)?["image"].bytesLoaded() { show(image) }
  ///
  /// - Throws: The errors of ``LargeValue/bytes()``.
  public func bytesLoaded() throws -> Value {
    guard case .large(let value) = self else { return self }
    return .data(try value.bytes())
  }

  /// Makes a value of data from a file, which is read in pieces.
  ///
  ///     let photo = try Value(contentsOfFile: "cake.jpg")
  ///     try store.write { try $0.set(cake, ["photo": photo]) }
  ///
  /// A file of at most 64 KiB becomes data. A larger file becomes a reference: it is read once now, for its digest, and
  /// once more by the write, and must not be changed in between.
  ///
  /// - Throws: `StoreError`: `notFound`, `inputOutput` for a file that cannot be read, and for a directory, a pipe or a
  ///   device, `badValue` for a path with a zero byte, `tooLarge` for a file over 64 MiB.
  public init(contentsOfFile path: String) throws {
    guard !path.utf8.contains(0) else {
      throw StoreError(.badValue, "A path cannot contain a zero byte: “\(path)”.", advice: "Give the path of a file.")
    }
    do {
      self = try FileContents(path: path).value()
    } catch let error as LMDBError where error.kind == .notRegularFile {
      throw StoreError(
        .inputOutput, "\(path) is a directory, a pipe or a device, and no file.", advice: "Give the path of a file.")
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Makes a value of data from pieces of any size.
  ///
  /// All bytes are in memory until they are written.
  ///
  /// - Throws: `StoreError` with the code `tooLarge` for more than 64 MiB, before all pieces are read; any error of the
  ///   sequence.
  public init(chunks: some AsyncSequence<[UInt8], any Error>) async throws {
    var bytes: [UInt8] = []
    for try await chunk in chunks {
      bytes += chunk
      if bytes.count > LargeValue.maximumSizeInBytes { throw StoreError(tooLarge: bytes.count) }
    }
    self = LargeValue(bytes).map { .large($0) } ?? .data(bytes)
  }

  /// Makes a value of data from bytes in memory: a reference if they are more than 64 KiB.
  ///
  /// A verb makes the same of ``data(_:)``; this form computes the digest once, for a value that several verbs write.
  ///
  /// - Throws: `StoreError` with the code `tooLarge` for more than 64 MiB.
  public init(bytes: [UInt8]) throws {
    guard bytes.count <= LargeValue.maximumSizeInBytes else { throw StoreError(tooLarge: bytes.count) }
    self = LargeValue(bytes).map { .large($0) } ?? .data(bytes)
  }
}
