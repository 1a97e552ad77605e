#if Import

extension ImportReport {
  /// Adds what a source reports.
  mutating func add(_ note: SourceNote, inverse: SourceField? = nil) {
    let place = inverse.map { "\(note.place) (\($0))" } ?? note.place
    switch note.kind {
    case .skippedTable: skippedTables.append(note.message)
    case .general, .missingTable, .missingColumn: notes.append(note.message)
    default: values.append(ValueReport("\(place): \(note.kind.words)", count: note.count, first: note.first))
    }
  }

  /// Adds the numbers of the links, and what was changed in both the source and the store.
  ///
  /// - Parameter isMerged: Whether the store was there before.
  mutating func add(_ tally: ImportTally, _ routes: ImportRoutes, isMerged: Bool) {
    for place in entities.indices {
      if isMerged { entities[place].changes = tally.changes[entities[place].name] ?? ObjectChanges() }
      for number in entities[place].relationships.indices {
        let field = SourceField(entities[place].name, entities[place].relationships[number].name)
        entities[place].relationships[number].linkCount = tally.linkCounts[field]
      }
    }
    for link in routes.links {
      for note in tally.linkNotes[link.target] ?? [] { add(note, inverse: link.inverse?.target) }
    }
    values += tally.conflicts
    notes += tally.notes
  }
}

extension SourceNote.Kind {
  /// The kind in words, for the line of a report with the number.
  fileprivate var words: String {
    switch self {
    case .danglingLinks: "links to or from rows that do not exist, which are not read"
    case .oneSidedLinks: "one-to-one links in the column of one side only"
    case .contradictoryLinks: "one-to-one links that contradict the side declared first, which are not read"
    case .missingOrder: "links without an order key, which come last"
    case .equalOrder: "equal order keys, where the primary key decides"
    case .strayRows: "rows whose entity has another table, which are not read"
    case .missingTable: "no table"
    case .missingColumn: "no column"
    case .skippedTable: "not read"
    case .general: "a note"
    }
  }
}

#endif
