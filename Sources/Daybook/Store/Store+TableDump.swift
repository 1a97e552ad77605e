import DaybookEngine
import DaybookModel

extension Store {
  /// Returns the present rows of the projections.
  package func projectionRows() throws -> TableDump {
    try read { try TableDump($0.reader) }
  }

  /// Returns the rows that a rebuild of all projections makes, without changing the store.
  package func rebuiltRows() throws -> TableDump {
    try checkOpen()
    return try healing { try rebuiltRowsOnce() }
  }

  private func rebuiltRowsOnce() throws -> TableDump {
    // The lock of the journal excludes other writers; both transactions are aborted in the end.
    let opened = currentProjections
    let journal = try journalEnvironment.beginWrite()
    var projections = try opened.environment.beginWrite()
    let reader = LMDBJournal(snapshot: journal.snapshot, tables: journalTables)
    var rebuilder = Rebuilder(store: self, opened: opened, journal: reader, head: try reader.head())
    let (catalog, _) = try rebuilder.rebuild(TableName.allCases, in: &projections)
    let rows = try TableDump(
      Reader(snapshot: projections.snapshot, tables: catalog.tables, model: catalog.model))
    projections.abort()
    journal.abort()
    return rows
  }

  /// Returns the rows as they were at an earlier position.
  ///
  /// The commits since the position are folded backward onto the present rows.
  ///
  /// No commit of a model may be in between.
  package func projectionRows(at position: Position) throws -> TableDump {
    try read { present in
      let layer = Layer()
      let reader = Reader(
        snapshot: present.reader.snapshot, tables: present.reader.tables, model: present.reader.model, layers: [layer])
      let fold = Fold(reader: reader, layer: layer, uses: Dependents(reader.model))
      var number = present.position.number
      while number > position.number {
        try present.journal.withCommit(at: Position(number)) { commit in
          fold.reset()
          try fold.apply(
            commit.body, position: commit.header.position, time: commit.header.time, direction: .backward)
          _ = try fold.finish()
        }
        number -= 1
      }
      return try TableDump(reader)
    }
  }
}
