import DaybookModel
import LMDB

extension Store {
  /// Throws projections away and folds the journal again.
  ///
  ///     try store.rebuild { print($0.activity, $0.completed) }
  ///
  /// There is never a need to: projections that cannot be trusted are rebuilt when the store is opened. It mends what
  /// ``verify(expecting:progress:)`` found wrong in them.
  ///
  /// Readers of this and of other processes go on with the old tables meanwhile, and take up the new ones, which hold
  /// the same rows, when this returns. Writers wait. If it fails, or the process is killed, the old tables stay.
  ///
  /// - Parameters:
  ///   - names: Which: `objects`, `links`, `views`, `unique`; nil for all. The others stay as they are.
  ///   - progress: Told now and then how far it is.
  /// - Throws: `StoreError`: `notFound` for a name that is none of these, `damaged` if the journal does not fold,
  ///   `full`, `inputOutput`, `closed`.
  /// - Complexity: O(*n* log *n*) for *n* events: about a second for a million.
  public func rebuild(_ names: Set<String>? = nil, progress: ((Progress) -> Void)? = nil) throws {
    let tables = try names.map { try TableName.named($0) } ?? TableName.allCases
    guard !tables.isEmpty else { return }
    try checkOpen()
    do {
      // A map may turn out to be full only when the tables are committed.
      while let failure = try healing({ try rebuildOnce(tables, progress) }) {
        guard failure.isMapFull else { throw failure }
        try growMap(after: failure)
      }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// - Returns: What kept the new tables from being committed, if something did.
  private func rebuildOnce(_ tables: [TableName], _ progress: ((Progress) -> Void)?) throws -> LMDBError? {
    let session = try WriteSession.begin(self)
    try session.rebuild(tables, progress: progress)
    return try session.finish()
  }

  /// The names of the projections that can be rebuilt.
  public static var projectionNames: [String] { TableName.allCases.map(\.name) }
}

extension TableName {
  /// The tables of these names, in their order.
  fileprivate static func named(_ names: Set<String>) throws -> [TableName] {
    let known = Store.projectionNames
    if let unknown = names.filter({ !known.contains($0) }).min() {
      throw StoreError(
        .notFound, "There is no projection “\(unknown)”.", advice: "There are \(known.joined(separator: ", ")).")
    }
    return allCases.filter { names.contains($0.name) }
  }
}
