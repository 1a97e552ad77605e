import DaybookModel
import DaybookRuntime

extension Store: ObjectReader {
  /// Reads the store at its head.
  ///
  /// If the closure meets damage in the projections, they are rebuilt from the journal, and the closure runs again:
  /// results that it collects outside of itself must then be reset.
  ///
  /// - Parameter body: The reads; all of them see one position, regardless of concurrent writes.
  /// - Returns: The result of `body`.
  /// - Throws: Any error of `body`; `StoreError`.
  public func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try keeper.read(body)
  }

  /// The position of the last commit.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  public var position: Position {
    get throws { try read { $0.position } }
  }
}
