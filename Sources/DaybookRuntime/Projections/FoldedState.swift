import DaybookEngine
import DaybookModel
import LMDB

/// The stored objects at a position, folded from the start of the journal into temporary files.
final class FoldedState {
  private let storage: TemporaryStorage
  private let environment: Environment
  private var transaction: WriteTransaction?
  private let tables: BuiltInTables
  private let dependents: Dependents
  private let layer = Layer()
  private let reader: Reader
  private(set) var position = Position.empty

  /// The memory that changes take before they are written into the files, in bytes.
  private static let maximumSizeInBytes = 16 << 20

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
    self.tables = tables
    reader = Catalog(modelPosition: 1, model: model, generations: [], tables: tables).reader(
      over: transaction.snapshot, layers: [layer])
    self.transaction = consume transaction
  }

  deinit {
    transaction = nil
    environment.close()
    storage.remove()
  }

  /// Folds the next commit, and calls `body` with the states before and after it.
  func fold(_ commit: CommitView, _ body: (StoredStates) throws -> Void) throws {
    let top = Layer()
    let after = reader.adding(top)
    let before = reader
    let fold = Fold(reader: after, layer: top, dependents: dependents)
    try fold.fold(commit.header, events: commit.eventBytes, .forward)
    position = commit.header.position
    // A projection that fails ends the walk before its commit.
    defer { layer.absorb(top) }
    try body(StoredStates(after: after, dependents: dependents, events: [UInt8](commit.eventBytes)) { before })
    guard layer.sizeInBytes + top.sizeInBytes > FoldedState.maximumSizeInBytes, var transaction = transaction.take()
    else { return }
    try transaction.flush(layer, into: tables)
    layer.removeAll()
    self.transaction = consume transaction
  }
}
