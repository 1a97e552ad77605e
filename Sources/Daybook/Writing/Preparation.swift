import DaybookModel
import LMDB

/// Finds, or builds anew, the projections that a write goes on from.
enum Preparation {
  struct Prepared {
    let catalog: Catalog
    let state: ProjectionState
    /// Whether the projections were built here.
    let didChange: Bool
  }

  static func prepare(
    _ store: Store, journal: LMDBJournal, head: Position, projections: inout WriteTransaction
  ) throws -> Prepared {
    if let state = try store.readState(in: projections.snapshot), state.checkpoint > .empty,
      state.checkpoint <= head
    {
      if let catalog = store.rememberedCatalog(matching: state) {
        return Prepared(catalog: catalog, state: state, didChange: false)
      }
      // A restored or exchanged journal beside these projections may have the same positions, but not these hashes.
      if try hash(at: state.checkpoint, in: journal) == state.checkpointHash,
        let tables = try openTables(state.tableNames, in: &projections)
      {
        let catalog = Catalog(
          modelPosition: state.modelPosition, model: try journal.model(at: state.modelPosition),
          generations: state.generations, tables: tables)
        return Prepared(catalog: catalog, state: state, didChange: false)
      }
    }
    var rebuilder = Rebuilder(store: store, journal: journal, head: head)
    let (catalog, state) = try rebuilder.rebuild(TableName.allCases, in: &projections)
    return Prepared(catalog: catalog, state: state, didChange: true)
  }

  /// The hash of a commit, whose header must be whole: a damaged one must not pass for another journal's, and be folded
  /// into new projections.
  private static func hash(at position: Position, in journal: LMDBJournal) throws -> Digest {
    try journal.withCommit(at: position) { commit in
      let hash = commit.hash
      guard commit.seal == CommitSeal(hash) else {
        throw StoreError(
          .damaged, "The header of commit \(position) is damaged.",
          advice: "Run `daybook verify`, and restore a backup.")
      }
      return hash
    }
  }

  /// The tables of these names, in the order of ``TableName``; nil if one is missing.
  static func openTables(_ names: [String], in projections: inout WriteTransaction) throws -> ProjectionTables? {
    var tables: [Table] = []
    for name in names {
      guard let table = try projections.openTable(name, create: false) else { return nil }
      tables.append(table)
    }
    return ProjectionTables(objects: tables[0], links: tables[1], views: tables[2], unique: tables[3])
  }
}
