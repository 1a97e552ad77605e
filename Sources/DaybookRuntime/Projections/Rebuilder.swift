import DaybookEngine
import DaybookModel
import LMDB

/// Discards built-in projections and folds the journal again.
///
/// The events are folded into objects and links, in windows as large as the allowed memory. Each window is flushed in
/// key order, and the first one is appended to the new table. Then the ``IndexBuilder`` builds everything else from the
/// final objects by the final model: the constraints and indexes of earlier models do not matter.
///
/// The new tables have the next generation in their names, and take effect with the row of the projections' state in
/// the same LMDB transaction: until then all readers use the old tables.
struct Rebuilder {
  let keeper: ProjectionKeeper
  let opened: OpenProjections
  let journal: any Journal
  let head: Position
  var progress: ((StoreProgress) -> Void)?

  /// Rebuilds tables.
  ///
  /// - Parameter names: The tables to rebuild; the others stay as they are, and must exist.
  mutating func rebuild(
    _ names: [TableName], in projections: inout WriteTransaction
  ) throws -> (Catalog, BuiltInTablesState) {
    let old = try opened.state(in: projections.snapshot)
    let modelPosition = try journal.modelPositions().last ?? .empty
    guard modelPosition > .empty else {
      throw StoreError(.damaged, "The journal holds no model.", advice: .verifyAndRestore)
    }
    let generation = (old?.generations.max() ?? 0) + 1
    let isPartial = old != nil && names.count < TableName.allCases.count
    let model = try journal.model(at: modelPosition)
    var state = BuiltInTablesState(
      checkpoint: Checkpoint(head, hash: try journal.header(at: head).hash), modelPosition: modelPosition, model: model,
      generations: Array(repeating: generation, count: TableName.allCases.count))
    keeper.files.options.logger?.info(
      "rebuilding projections", metadata: ["store": "\(keeper.files.path)", "head": "\(head)"])
    try dropLeftovers(keeping: old, in: &projections)
    for name in state.tableNames { _ = try projections.openTable(name, create: true) }
    let catalog = try catalog(of: state, model, in: &projections)
    var builder = TableBuilder(
      journal: journal, head: head, catalog: catalog, memoryLimit: keeper.files.options.rebuildMemoryInBytes,
      progress: StoreProgress.reporter(progress))
    let (logger, path) = (keeper.files.options.logger, keeper.files.path)
    builder.report = {
      logger?.warning(
        "the journal breaks a rule of the model", metadata: ["store": "\(path)", "rule": "\($0.message)"])
    }
    if try builder.build(in: &projections) { state.checkpoint.noteOmittedEvent() }
    if isPartial, let old {
      for table in TableName.allCases where !names.contains(table) {
        try projections.drop(catalog.tables[table])
        state.generations[table.rawValue] = old.generations[table.rawValue]
      }
    }
    if !isPartial {
      // The tables may have belonged to another journal, and then the index of the journal was, too.
      try projections.put(CommitIndexState.key, CommitIndexState.empty.bytes, in: opened.stateTable)
    }
    try dropLeftovers(keeping: state, in: &projections)
    return (try self.catalog(of: state, model, in: &projections), state)
  }

  private func catalog(
    of state: BuiltInTablesState, _ model: ResolvedModel, in projections: inout WriteTransaction
  ) throws -> Catalog {
    guard let catalog = try CatalogLoader(state, model: { _ in model }).load(in: &projections) else {
      throw StoreError(.damaged, "A table of the projections is missing.", advice: "Rebuild all projections.")
    }
    return catalog
  }

  /// Drops the tables that no state names.
  ///
  /// They are of an older generation, or of a rebuild that was not completed.
  private func dropLeftovers(keeping state: BuiltInTablesState?, in projections: inout WriteTransaction) throws {
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
