import DaybookEngine
import DaybookModel
import LMDB

extension OpenProjections {
  /// Returns what reads the derived entities of some projections.
  ///
  /// - Throws: `UnopenedTables` if the process had not opened the tables of these rows before the snapshot; `StoreError` with the code
  ///   `badModel` if a projection declares what the model does not allow.
  func derivedCatalog(
    of rows: [DerivedInstance], in model: ResolvedModel, at position: Position,
    _ snapshot: TransactionSnapshot
  ) throws -> DerivedCatalog {
    let names = rows.map(\.name)
    let isKept = rows.allSatisfy { $0.place == nil }
    let (known, tables) = derivedCatalogs.withLock { ($0.catalogs[names], $0.tables) }
    if isKept, let known, known.matches(rows, in: model) {
      for part in known.parts where !snapshot.has(part.changes) {
        throw UnopenedTables(projection: part.rows.projection, names: [part.changes.name])
      }
      return known
    }
    let parts = try rows.map { rows in
      if let place = rows.place { return DerivedCatalog.Part(rows, tables: place.tables) }
      let names = ProjectionRecord.derivedTableNames(of: rows.name, rows.instance)
      let opened = names.compactMap { tables[$0] }.filter(snapshot.has)
      guard opened.count == names.count else { throw UnopenedTables(projection: rows.name, names: names) }
      return DerivedCatalog.Part(rows, tables: opened)
    }
    let made = try DerivedCatalog(parts, in: model, at: position)
    if isKept { derivedCatalogs.withLock { $0.catalogs[names] = made } }
    return made
  }

  /// Returns what a projection reads, in a transaction that may have changed the rows of others.
  ///
  /// - Parameters:
  ///   - rows: The rows that it reads.
  ///   - head: The stored objects at the head.
  ///   - modelPosition: The position of their model.
  func scope(
    of rows: [DerivedInstance], over head: State, at modelPosition: Position,
    in journal: LMDBJournal, _ transaction: inout WriteTransaction
  ) throws -> ScopedState {
    if rows.isEmpty { return ScopedState(head, in: journal) }
    var parts: [DerivedCatalog.Part] = []
    for rows in rows {
      var tables: [Table] = []
      for name in ProjectionRecord.derivedTableNames(of: rows.name, rows.instance) {
        guard let table = try transaction.openTable(name, create: false) else {
          throw StoreError(missingTable: name, of: rows.name)
        }
        tables.append(table)
      }
      parts.append(DerivedCatalog.Part(rows, tables: tables))
    }
    let catalog = try DerivedCatalog(parts, in: head.reader.model, at: modelPosition)
    return try ScopedState(adding: rows, catalog, to: head, in: journal, transaction.snapshot)
  }

  /// Opens tables of derived entities, outside of transactions.
  func open(_ missing: UnopenedTables) throws {
    let tables = try environment.openTables(missing.names)
    derivedCatalogs.withLock { known in
      for case let table? in tables { known.tables[table.name] = table }
    }
  }
}

extension OpenProjections {
  /// Returns the rows of all projections, by name.
  func derivedRows(in snapshot: TransactionSnapshot) throws -> [DerivedInstance] {
    try recordNames(in: snapshot).compactMap { name in
      try record(of: name, in: snapshot).live.map { DerivedInstance(name: name, instance: $0) }
    }
  }

  /// Returns the rows that a projection reads, with all that these follow from, by name; `nil` if some do not exist yet.
  func rows(
    readBy projection: any Projection, in snapshot: TransactionSnapshot
  ) throws -> [DerivedInstance]? {
    projection.reads.isEmpty ? [] : try derivedRows(in: snapshot).rows(of: projection.reads)
  }
}

extension OpenProjections {
  /// Returns a description of derived entities with tags that no other projection has in the environment.
  ///
  /// Rows that are built beside others with the same entities have their tags, so that equal rows have equal bytes.
  ///
  /// - Throws: `StoreError` with the code `badModel` if there is no room for them.
  func assigningTags(to model: DerivedModel, in snapshot: TransactionSnapshot) throws -> DerivedModel {
    var model = model
    let live = try record(of: model.projection, in: snapshot).live?.derived
    if let live, live.entities == model.entities {
      model.firstTag = live.firstTag
      return model
    }
    let taken = try recordNames(in: snapshot).flatMap { name in
      let record = try record(of: name, in: snapshot)
      return [record.live, record.next].compactMap { $0?.derived.tags }
    }.sorted { $0.lowerBound < $1.lowerBound }
    for tags in taken where tags.overlaps(model.tags) { model.firstTag = tags.upperBound }
    guard Int(model.firstTag) + model.tagCount < Int(UInt16.max) else {
      throw StoreError(
        .badModel, "The projection \(model.projection) has too many entities and attributes for this store.",
        advice: "Declare fewer of them, or use fewer projections.")
    }
    return model
  }
}
