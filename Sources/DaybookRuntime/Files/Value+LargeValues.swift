import DaybookEngine
import DaybookModel
import LMDB

extension Value {
  /// Returns the bytes of a value of data, or `nil` for any other value.
  ///
  ///     if let image = try store.get(id)?["image"].data() { show(image) }
  ///
  /// The bytes of a reference are read from the store.
  ///
  /// - Throws: `StoreError`: `damaged` if the store lacks bytes, or they do not give the digest; `closed`; `badRequest`
  ///   for a reference that was made from text; `inputOutput` for a file that was changed since.
  /// - Complexity: O(*n*) for *n* bytes of a reference, else O(1).
  public func data() throws -> [UInt8]? {
    if case .data(let bytes) = try bytesLoaded() { bytes } else { nil }
  }

  /// Returns the value with its bytes if it is a reference, and unchanged otherwise.
  ///
  /// - Throws: The errors of ``data()``.
  package func bytesLoaded() throws -> Value {
    guard case .large(let value) = self else { return self }
    return .data(try value.bytes())
  }

  /// Makes a value of data from a file, which is read in pieces.
  ///
  ///     let photo = try Value.data(contentsOf: "cake.jpg")
  ///     try store.write { try $0.set(cake, ["photo": photo]) }
  ///
  /// A file of at most 64 KiB becomes data. A larger file becomes a reference: it is read once now, for its digest, and
  /// once more by the write, and must not be changed in between.
  ///
  /// - Throws: `StoreError`: `notFound`, `inputOutput` for a file that cannot be read, and for a directory, a pipe or a
  ///   device, `badValue` for a path with a zero byte, `tooLarge` for a file over 64 MiB.
  public static func data(contentsOf path: String) throws -> Value {
    guard !path.utf8.contains(0) else {
      throw StoreError(.badValue, "A path cannot contain a zero byte: “\(path)”.", advice: "Give the path of a file.")
    }
    do {
      return try FileContents(path: path).value()
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
  public static func data(contentsOf chunks: some AsyncSequence<[UInt8], any Error>) async throws -> Value {
    var bytes: [UInt8] = []
    for try await chunk in chunks {
      bytes += chunk
      if bytes.count > LargeValue.maximumSizeInBytes { throw StoreError(tooLarge: bytes.count) }
    }
    return LargeValue(bytes).map { .large($0) } ?? .data(bytes)
  }

  /// Makes a value of data from bytes in memory: a reference if they are more than 64 KiB.
  ///
  /// A verb makes the same of ``data(_:)``; this form computes the digest once, for a value that several verbs write.
  ///
  /// - Throws: `StoreError` with the code `tooLarge` for more than 64 MiB.
  package init(bytes: [UInt8]) throws {
    guard bytes.count <= LargeValue.maximumSizeInBytes else { throw StoreError(tooLarge: bytes.count) }
    self = LargeValue(bytes).map { .large($0) } ?? .data(bytes)
  }
}
