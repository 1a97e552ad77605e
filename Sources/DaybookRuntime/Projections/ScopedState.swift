import DaybookEngine
import DaybookModel
import LMDB

/// Stored objects together with the rows of some projections, at one position.
struct ScopedState {
  let state: State
  /// The journal by which the state is moved: it has what the projections changed.
  let journal: LMDBJournal

  /// Makes the state of the stored objects alone.
  init(_ state: State, in journal: LMDBJournal) {
    (self.state, self.journal) = (state, journal.adding([]))
  }

  /// - Parameter journal: Has what the projections changed whose rows are in the state.
  init(_ state: State, joined journal: LMDBJournal) {
    (self.state, self.journal) = (state, journal)
  }

  /// Adds rows to stored objects, at the lowest checkpoint of the rows.
  ///
  /// - Parameters:
  ///   - rows: The rows that the catalog reads, in its order.
  ///   - head: The stored objects at the head, or at a position that is not before a checkpoint.
  ///   - snapshot: Reads the tables of rows that are in the projections' environment.
  init(
    adding rows: [DerivedInstance], _ catalog: DerivedCatalog, to head: State,
    in journal: LMDBJournal, _ snapshot: TransactionSnapshot
  ) throws {
    var (state, scoped) = (head, journal.adding([]))
    var (tables, changes): ([DerivedTables], [DerivedChanges]) = ([], [])
    // Rows follow what is undone only from their own checkpoint on.
    for (part, rows) in zip(catalog.parts, rows).sorted(by: { $0.1.checkpoint > $1.1.checkpoint }) {
      let below = try state.rewound(to: rows.checkpoint, in: scoped)
      let snapshot = rows.place?.snapshot ?? snapshot
      tables.append(DerivedTables(tags: part.entities.tags, tables: part.tables, in: snapshot))
      changes.append(DerivedChanges(part.changes, in: snapshot, of: rows.name, from: rows.instance.firstKept))
      scoped = journal.adding(changes)
      state = State(
        reader: below.reader.adding(tables, layers: below.reader.layers, by: catalog.model),
        dependents: catalog.dependents, position: below.position)
    }
    (self.state, self.journal) = (state, scoped)
  }
}
