import DaybookEngine
import DaybookModel
import LMDB

/// The stored objects at a position, folded from the start of the journal into temporary files.
///
/// Most projections read objects by their identities alone. So only objects, links and derived values are folded, until a
/// projection first sends a request: then the rows of indexes and constraints are built, and folded too from there on.
final class FoldedState {
  private let storage: TemporaryStorage
  let environment: Environment
  private var transaction: WriteTransaction?
  private let catalog: Catalog
  private let dependents: Dependents
  private let layer = Layer()
  private let reader: Reader
  private var fold: Fold
  private var hasIndexes = false
  private(set) var position = Position.empty

  /// - Throws: `LMDBError`; `StoreError` with the code `inputOutput` if there is no place for temporary files.
  init(_ model: ResolvedModel, _ dependents: Dependents) throws {
    storage = try TemporaryStorage(prefix: "daybook-fold")
    self.dependents = dependents
    environment = try Environment.open(
      at: storage.path, options: EnvironmentOptions(maximumTables: 8, flush: .none))
    var transaction = try environment.beginWrite()
    guard let tables = try BuiltInTables(TableName.allCases.map(\.name), in: &transaction, create: true) else {
      preconditionFailure("A table that is missing is created.")
    }
    catalog = Catalog(modelPosition: 1, model: model, generations: [], tables: tables)
    reader = catalog.reader(over: transaction.snapshot, layers: [layer])
    fold = Fold(reader: reader, layer: layer, dependents: dependents, parts: StoredStates.leastParts)
    self.transaction = consume transaction
  }

  deinit {
    transaction = nil
    environment.close()
    storage.remove()
  }

  /// Folds the next commit.
  func fold(_ commit: CommitView) throws {
    // What a projection has read before and after the last commit ends here, with the transaction.
    if try layer.fills(catalog.tables, in: reader.snapshot) { try flush() }
    try fold.fold(commit.header, events: commit.eventBytes, .forward)
    position = commit.header.position
  }

  /// Returns what a projection reads before and after the commit that was folded last, until the next one is folded.
  func states(around commit: CommitView) -> StoredStates {
    StoredStates(
      after: reader, dependents, commit.header, events: [UInt8](commit.eventBytes),
      makeIndexes: hasIndexes ? nil : { try self.makeIndexes() })
  }

  /// Returns the state with all rows, until the next commit is folded.
  func state() throws -> State {
    if !hasIndexes { try makeIndexes() }
    return State(reader: reader, dependents: dependents, position: position)
  }

  private func makeIndexes() throws {
    // Rows are built from the objects in the tables.
    try flush()
    var builder = IndexBuilder(dependents: dependents, memoryLimit: Layer.maximumSizeInBytes)
    builder.isFilled = { try $0.fills(self.catalog.tables, in: self.reader.snapshot) }
    // The model rules that former commits broke are the concern of their writers.
    _ = try builder.build(IndexBuilder.Task(rowsOf: reader.model), reader: reader, layer: layer) { try flush() }
    fold = Fold(reader: reader, layer: layer, dependents: dependents)
    hasIndexes = true
  }

  /// Writes the changes into the files, in a transaction of their own: a transaction keeps the pages that it has changed
  /// in memory.
  private func flush() throws {
    guard var transaction = transaction.take() else { preconditionFailure("A state that failed was used.") }
    try transaction.flush(layer, into: catalog.tables)
    layer.removeAll()
    try transaction.commitAndContinue()
    self.transaction = consume transaction
  }
}
