import DaybookEngine
import DaybookModel

extension LargeValue {
  /// Returns all bytes.
  ///
  /// - Throws: The errors of ``Value/data()``.
  package func bytes() throws -> [UInt8] {
    try LargeValue.translatingErrors { try requireSource().bytes(of: self) }
  }

  /// Calls `body` with the bytes in pieces of at most 1 MiB, from first to last.
  ///
  ///     try image.forEachChunk { try file.write($0) }
  ///
  /// The digest of all pieces is compared before the first one is passed on, so damaged bytes are never returned as
  /// data. No transaction is open while `body` runs.
  ///
  /// - Throws: Any error of `body`; the errors of ``Value/data()``.
  /// - Complexity: O(*n*) for *n* bytes, which are read twice.
  public func forEachChunk(_ body: ([UInt8]) throws -> Void) throws {
    let source = try LargeValue.translatingErrors { () throws -> any LargeValueSource in
      let source = try requireSource()
      try source.check(self)
      return source
    }
    for number in 0..<chunkCount {
      try body(LargeValue.translatingErrors { try source.chunk(number, of: self) })
    }
  }

  private static func translatingErrors<Result>(_ read: () throws -> Result) throws -> Result {
    do {
      return try read()
    } catch {
      throw StoreError.translating(error)
    }
  }
}
