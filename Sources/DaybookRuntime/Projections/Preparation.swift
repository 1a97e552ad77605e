import DaybookEngine
import DaybookModel
import LMDB

/// Opens the projections that a write is based on, or rebuilds them.
enum Preparation {
  struct Prepared {
    let catalog: Catalog
    let state: BuiltInTablesState
    /// Whether the projections were rebuilt.
    let didChange: Bool
  }

  static func prepare(
    _ store: OpenStore, _ opened: OpenProjections, journal: LMDBJournal, head: Position, headHash: Digest,
    projections: inout WriteTransaction
  ) throws -> Prepared {
    if let state = try opened.state(in: projections.snapshot), state.checkpoint.position > .empty,
      try state.checkpoint.belongs(to: journal, head: head, headHash: headHash)
    {
      if let catalog = opened.catalog(matching: state) {
        return Prepared(catalog: catalog, state: state, didChange: false)
      }
      if let tables = try openTables(state.tableNames, in: &projections) {
        let catalog = Catalog(
          modelPosition: state.modelPosition, model: try journal.model(at: state.modelPosition),
          generations: state.generations, tables: tables)
        return Prepared(catalog: catalog, state: state, didChange: false)
      }
    }
    var rebuilder = Rebuilder(store: store, opened: opened, journal: journal, head: head)
    let (catalog, state) = try rebuilder.rebuild(TableName.allCases, in: &projections)
    return Prepared(catalog: catalog, state: state, didChange: true)
  }

  /// Opens tables by name, in the order of ``TableName``, or returns `nil` if one is missing.
  static func openTables(_ names: [String], in projections: inout WriteTransaction) throws -> BuiltInTables? {
    var tables: [Table] = []
    for name in names {
      guard let table = try projections.openTable(name, create: false) else { return nil }
      tables.append(table)
    }
    return BuiltInTables(tables)
  }
}
