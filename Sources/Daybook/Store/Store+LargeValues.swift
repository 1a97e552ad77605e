import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Returns the large value with a digest, or `nil` if no commit refers to one.
  ///
  ///     guard let image = try store.largeValue(digest) else { return }
  ///     try image.forEachChunk { try output.write($0) }
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  /// - Complexity: O(log *n*)
  public func largeValue(_ sha256: Digest) throws -> LargeValue? {
    try checkOpen()
    do {
      let table = LargeValueTable(files.journalEnvironment)
      guard let size = try table.size(of: sha256) else { return nil }
      guard let value = LargeValue(sha256: sha256, size: size, source: table) else {
        throw StoreError(
          .damaged, "The value \(sha256) has \(size) bytes, which no large value has.", advice: .verifyAndRestore)
      }
      return value
    } catch {
      throw StoreError.translating(error)
    }
  }
}
