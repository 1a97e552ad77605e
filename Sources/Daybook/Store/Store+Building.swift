import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Builds a store with all of its contents under another name, and gives it its own when it is complete.
  ///
  ///     try Store.build(at: "recipes.daybook", model: recipes, info: CommitInfo(author: "import")) { store in
  ///       try store.write { tx in ... }
  ///     }
  ///
  /// When this returns, the store is at its path, closed, and on disk. If the closure throws, or the process ends, nothing
  /// is at the path; what a killed process leaves beside it, the next creation of a store there removes.
  ///
  /// - Parameters:
  ///   - info: The author, the message and the metadata of the commit of the model.
  ///   - body: Fills the store, which it must not keep.
  /// - Returns: The result of `body`.
  /// - Throws: Any error of `body`; `StoreError`: `exists` if the path exists, `badModel`, `inputOutput`.
  package static func build<Result>(
    at path: String, model: Model, options: StoreOptions = StoreOptions(), info: CommitInfo = CommitInfo(),
    _ body: (Store) throws -> Result
  ) throws -> Result {
    do {
      let directory = StoreDirectory(path)
      guard try !directory.exists else {
        throw StoreError(.exists, "There is something at \(directory.path) already.", advice: "Choose another path.")
      }
      try info.checkLimits()
      let first = try PendingCommit(
        creating: model, recordedAt: options.clock(), happenedAt: info.happenedAt, author: info.author,
        message: info.message, reasons: info.reasons())
      var result: Result?
      try directory.create { unfinished in
        try unfinished.fill(first: first, options)
        let store = try Store(at: unfinished.path, options: options)
        defer { store.close() }
        result = try body(store)
      }
      guard let result else { preconditionFailure("A store that was created was filled.") }
      return result
    } catch {
      throw StoreError.translating(error)
    }
  }
}
