import DaybookEngine
import DaybookModel
import DaybookRuntime
import Tracing

extension Store {
  /// Discards projections and folds them again from the journal.
  ///
  ///     try store.rebuild { print($0.activity, $0.completed) }
  ///
  /// This is never required: projections that cannot be trusted are rebuilt when the store is opened. It repairs faults
  /// that ``verify(expecting:progress:)`` reported in them.
  ///
  /// Readers in all processes use the old tables meanwhile, and switch to the new ones, which hold the same rows, when
  /// this returns. Writers wait. If it fails, or the process is killed, the old tables stay.
  ///
  /// If all are rebuilt, they and the projections of users get a new file, in which no bytes of removed rows are left. It
  /// takes room for both files.
  ///
  /// - Parameters:
  ///   - names: The projections to rebuild: `objects`, `links`, `views`, `unique`, `counts`, `commit-index`; `nil` for
  ///     all. The others are unchanged.
  ///   - progress: Called repeatedly with the progress.
  /// - Throws: `StoreError`: `notFound` for any other name, `damaged` if the journal cannot be folded, `full`,
  ///   `inputOutput`, `closed`.
  /// - Complexity: O(*n* log *n*) for *n* events: about a second for a million.
  public func rebuild(_ names: Set<String>? = nil, progress: ((Progress) -> Void)? = nil) throws {
    let names = names ?? Set(Store.projectionNames)
    let tables = try TableName.named(names)
    try checkOpen()
    do {
      try withSpan(SpanName.rebuild) { _ in
        if !tables.isEmpty { try writer.rebuild(tables, progress) }
        if names.contains(CommitIndexRow.tableName) { try keeper.rebuildCommitIndex(progress: progress) }
        if names.count == Store.projectionNames.count { try keeper.renewProjections() }
      }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// The names of the projections that can be rebuilt.
  public static var projectionNames: [String] { TableName.allCases.map(\.name) + [CommitIndexRow.tableName] }
}

private extension TableName {
  /// Returns the tables with the given names, in table order.
  static func named(_ names: Set<String>) throws -> [TableName] {
    let known = Store.projectionNames
    if let unknown = names.filter({ !known.contains($0) }).min() {
      throw StoreError(
        .notFound, "There is no projection “\(unknown)”.", advice: "There are \(known.joined(separator: ", ")).")
    }
    return allCases.filter { names.contains($0.name) }
  }
}
