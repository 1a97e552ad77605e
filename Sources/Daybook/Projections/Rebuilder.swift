import DaybookModel
import LMDB

/// The progress of a long operation.
public struct Progress: Sendable, Hashable {
  /// The activity, as a verb and its object.
  public var activity: String
  /// The number of completed units.
  public var completed: UInt64
  /// The total number of units, or `nil` if it is not known.
  public var total: UInt64?
  /// The counted unit, in the plural.
  public var unit: String

  /// Creates a description of progress.
  public init(activity: String, completed: UInt64, total: UInt64? = nil, unit: String) {
    self.activity = activity
    self.completed = completed
    self.total = total
    self.unit = unit
  }
}

/// Discards built-in projections and folds the journal again.
///
/// The events are folded into objects and links, in windows as large as the allowed memory. Each window is flushed in
/// key order, and the first one is appended to the new table. Then the ``IndexBuilder`` builds everything else from the
/// final objects by the final model: the constraints and views of earlier models do not matter.
///
/// The new tables have the next generation in their names, and take effect with the row of the projections' state in
/// the same LMDB transaction: until then all readers use the old tables.
struct Rebuilder {
  let store: Store
  let opened: OpenProjections
  let journal: any Journal
  let head: Position
  var progress: ((Progress) -> Void)?

  /// Rebuilds tables.
  ///
  /// - Parameter names: The tables to rebuild; the others stay as they are, and must exist.
  mutating func rebuild(
    _ names: [TableName], in projections: inout WriteTransaction
  ) throws -> (Catalog, ProjectionState) {
    let old = try opened.state(in: projections.snapshot)
    let modelPosition = try journal.modelPositions().last ?? .empty
    guard modelPosition > .empty else {
      throw StoreError(.damaged, "The journal holds no model.", advice: .verifyAndRestore)
    }
    let generation = (old?.generations.max() ?? 0) + 1
    let isPartial = old != nil && names.count < TableName.allCases.count
    var state = ProjectionState(
      checkpoint: head, checkpointHash: try journal.header(at: head).hash, modelPosition: modelPosition,
      generations: Array(repeating: generation, count: TableName.allCases.count))
    store.options.logger?.info("rebuilding projections", metadata: ["store": "\(store.path)", "head": "\(head)"])
    try dropLeftovers(keeping: old, in: &projections)
    let catalog = Catalog(
      modelPosition: modelPosition, model: try journal.model(at: modelPosition),
      generations: state.generations, tables: try createTables(state, in: &projections))
    var builder = TableBuilder(
      journal: journal, head: head, catalog: catalog, memoryLimit: store.options.rebuildMemoryInBytes,
      progress: progress)
    let (logger, path) = (store.options.logger, store.path)
    builder.report = {
      logger?.warning(
        "the journal breaks a rule of the model", metadata: ["store": "\(path)", "rule": "\($0.message)"])
    }
    if try builder.build(in: &projections) { state.leftOutBy = JournalMeta.formatVersion }
    if isPartial, let old {
      for table in TableName.allCases where !names.contains(table) {
        try projections.drop(catalog.tables[table])
        state.generations[table.rawValue] = old.generations[table.rawValue]
      }
    }
    try dropLeftovers(keeping: state, in: &projections)
    guard let tables = try Preparation.openTables(state.tableNames, in: &projections) else {
      throw StoreError(.damaged, "A table of the projections is missing.", advice: "Rebuild all projections.")
    }
    let final = Catalog(
      modelPosition: modelPosition, model: catalog.model, generations: state.generations, tables: tables)
    return (final, state)
  }

  private func createTables(
    _ state: ProjectionState, in projections: inout WriteTransaction
  ) throws -> ProjectionTables {
    for name in state.tableNames { _ = try projections.openTable(name, create: true) }
    guard let tables = try Preparation.openTables(state.tableNames, in: &projections) else {
      preconditionFailure("Tables that were just created can be opened.")
    }
    return tables
  }

  /// Drops the tables that no state names.
  ///
  /// They are of an older generation, or of a rebuild that was not completed.
  private func dropLeftovers(keeping state: ProjectionState?, in projections: inout WriteTransaction) throws {
    let kept = Set(state?.tableNames ?? [])
    let stems = Set(TableName.allCases.map(\.name))
    for name in try projections.tableNames() where !kept.contains(name) {
      guard let stem = name.split(separator: ".").first, stems.contains(String(stem)), stem.count < name.count,
        let table = try projections.openTable(name, create: false)
      else { continue }
      try projections.drop(table)
    }
  }
}

/// Fills new tables from a journal.
struct TableBuilder {
  let journal: any Journal
  let head: Position
  let catalog: Catalog
  /// The memory that may be used before changes are written, in bytes.
  let memoryLimit: Int
  var progress: ((Progress) -> Void)?
  /// Called with each rule of the model that the journal's state breaks.
  ///
  /// A broken rule does not prevent the build: the contents of a journal can always be read.
  var report: (StoreError) -> Void = { _ in }

  /// - Returns: Whether events of a later version were omitted.
  func build(in projections: inout WriteTransaction) throws -> Bool {
    let layer = Layer()
    let reader = Reader(
      snapshot: projections.snapshot, tables: catalog.tables, model: catalog.model, layers: [layer])
    let hasLeftOut = try foldEvents(reader, layer, &projections)
    for violation in try buildIndexes(reader, layer, &projections) {
      report(StoreError(violation, in: catalog.model))
    }
    return hasLeftOut
  }

  /// Builds views, constraints and derived values from the objects and links in the tables.
  ///
  /// - Returns: The first found rules that the state breaks.
  func buildIndexes(
    _ reader: Reader, _ layer: Layer, _ projections: inout WriteTransaction
  ) throws -> [Fold.Violation] {
    var builder = IndexBuilder(catalog: catalog, memoryLimit: memoryLimit)
    var count: UInt64 = 0
    let progress = progress
    builder.onObject = {
      count += 1
      if count % 1_024 == 0 {
        progress?(Progress(activity: "building views", completed: count, total: nil, unit: "rows"))
      }
    }
    var violations: [Fold.Violation] = []
    try withFlush(layer, &projections) { flush in
      violations = try builder.build(
        IndexBuilder.Task(all: catalog.model), reader: reader, layer: layer, flush: flush)
    }
    return violations
  }

  private func foldEvents(_ reader: Reader, _ layer: Layer, _ projections: inout WriteTransaction) throws -> Bool {
    let fold = Fold(reader: reader, layer: layer, uses: catalog.uses, parts: [])
    let head = head
    let limit = memoryLimit
    let progress = progress
    let journal = journal
    try withFlush(layer, &projections) { flush in
      try journal.forEachCommit(from: 1, through: head) { commit in
        guard !commit.header.isModel else { return true }
        do {
          try fold.apply(commit.body, position: commit.header.position, time: commit.header.time)
        } catch let error as ProjectionFault {
          throw StoreError(contradiction: error, at: commit.header.position)
        }
        if fold.sizeInBytes + layer.sizeInBytes > limit {
          try fold.settle()
          try flush()
          fold.reset()
        }
        if commit.header.position.number % 256 == 0 {
          progress?(
            Progress(
              activity: "folding events", completed: commit.header.position.number, total: head.number,
              unit: "commits"))
        }
        return true
      }
      try fold.settle()
      try flush()
    }
    return fold.hasLeftOut
  }

  /// Calls `body` with a closure that flushes the layer into the tables.
  func withFlush(
    _ layer: Layer, _ projections: inout WriteTransaction, _ body: (_ flush: () throws -> Void) throws -> Void
  ) throws {
    try body {
      for table in TableName.allCases where !layer[table].isEmpty {
        try projections.flush(layer[table], into: catalog.tables[table])
      }
      layer.removeAll()
    }
  }
}
