#if Import

import DaybookModel
import GRDB

extension CoreDataObjects {
  package func notes() throws -> [SourceNote] {
    try [uncommittedNotes(), missingNotes(), strayRowNotes(), skippedTables()].flatMap { $0 }
  }

  private func uncommittedNotes() -> [SourceNote] {
    let count = store.file.uncommittedFrameCount
    guard count > 0 else { return [] }
    return [
      SourceNote(
        .general, store.path, count: count,
        "\(store.path)-wal ends with \(count) pages of a transaction that was not committed; they are not read")
    ]
  }

  /// Returns the entities without a table, and the fields without a column or join table.
  private func missingNotes() -> [SourceNote] {
    var notes: [SourceNote] = []
    for entity in lookup.model.entities where layout.numbers[entity.name] == nil || !hasTable(entity.name) {
      notes.append(
        SourceNote(
          .missingTable, entity.name, "\(entity.name): \(store.path) has no table of it, so it has no objects there"))
    }
    for (field, column) in layout.columns.sorted(by: { $0.key < $1.key }) {
      let table = layout.table(of: field.entity)
      guard hasTable(field.entity), !store.schema.hasColumn(column, in: table) else { continue }
      notes.append(
        SourceNote(.missingColumn, field.description, "\(field): \(table) has no column \(column), so it has no values")
      )
    }
    for (field, links) in layout.links.sorted(by: { $0.key < $1.key }) {
      if let note = missingNote(of: field, links) { notes.append(note) }
    }
    for field in layout.absentRelationships {
      notes.append(
        SourceNote(.missingTable, field.description, "\(field): its destination has no table, so it has no links"))
    }
    for entity in lookup.model.entities {
      for attribute in entity.attributes where attribute.type.isComposite && !attribute.isTransient {
        let field = SourceField(entity.name, attribute.name)
        notes.append(
          SourceNote(
            .missingColumn, field.description,
            "\(field) is composite; the columns of composite attributes are not known, so its values are not read"))
      }
    }
    return notes
  }

  private func missingNote(of field: SourceField, _ links: StoreLayout.Links) -> SourceNote? {
    switch links {
    // A to-one relationship is in the list of columns.
    case .sourceColumn: return nil
    case .joinTable:
      guard joinTables[field] == nil else { return nil }
      return SourceNote(
        .missingColumn, field.description, "\(field): the store has no join table of it, so it has no links")
    case .targetColumn(let column, let order):
      let table = lookup.relationship(field).map { layout.table(of: $0.destination) } ?? ""
      if !store.schema.hasColumn(column, in: table) {
        return SourceNote(
          .missingColumn, field.description, "\(field): \(table) has no column \(column), so it has no links")
      }
      guard let order, !store.schema.hasColumn(order, in: table) else { return nil }
      return SourceNote(
        .missingColumn, field.description,
        "\(field): ordered, but \(table) has no column \(order); the primary key decides")
    }
  }

  /// Returns the rows of each table whose entity number is not of the table's hierarchy.
  private func strayRowNotes() throws -> [SourceNote] {
    var notes: [SourceNote] = []
    for root in lookup.roots where hasTable(root.name) {
      let table = layout.table(of: root.name)
      let own = layout.familyNumbers(of: root.name).map(String.init).joined(separator: ", ")
      let sql = """
        SELECT Z_ENT, count(*), min(Z_PK) FROM \(quoted(table)) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(own)) GROUP BY Z_ENT
        """
      try store.file.read { database in
        for row in try Row.fetchAll(database, sql: sql) {
          let (number, count) = (row.integer(0), row.count(1))
          let entity = number.flatMap(layout.numbers.entity) ?? "no entity"
          notes.append(
            SourceNote(
              .strayRows, root.name, count: count, first: row.integer(2).map { "\(root.name)/p\($0)" },
              "\(root.name): \(count) rows of \(table) have the entity number \(number.map(String.init) ?? "null") "
                + "(\(entity)), which has another table; they are not read"))
        }
      }
    }
    return notes
  }

  /// Returns the tables that are not read, with the reason.
  private func skippedTables() -> [SourceNote] {
    var read: Set<String> = ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"]
    for entity in lookup.model.entities where layout.numbers[entity.name] != nil {
      read.insert(layout.table(of: entity.name))
    }
    read.formUnion(joinTables.values.map(\.table))
    return store.schema.tables.keys.filter { !read.contains($0) }.sorted().map { table in
      SourceNote(.skippedTable, table, "\(table) is not read: \(CoreDataObjects.reason(table))")
    }
  }

  private static func reason(_ table: String) -> String {
    if ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(table) {
      return "persistent history, which has no values"
    }
    if table.hasPrefix("ANSCK") { return "the state of CloudKit mirroring" }
    if table.hasPrefix("sqlite_") { return "SQLite's own" }
    return "not a table of the model"
  }

  /// The numbers of persistent history, or `nil` without it; only a report mentions them.
  package func historyCounts() throws -> HistoryCounts? {
    guard store.schema.hasColumn("ZCHANGETYPE", in: "ACHANGE"), store.schema.tables["ATRANSACTION"] != nil else {
      return nil
    }
    return try store.file.read { database in
      var counts = HistoryCounts()
      counts.transactionCount = try Row.fetchOne(database, sql: "SELECT count(*) FROM ATRANSACTION")?.count(0) ?? 0
      for row in try Row.fetchAll(database, sql: "SELECT ZCHANGETYPE, count(*) FROM ACHANGE GROUP BY 1") {
        switch row.integer(0) {
        case 0: counts.insertCount = row.count(1)
        case 1: counts.updateCount = row.count(1)
        case 2: counts.deleteCount = row.count(1)
        default: break
        }
      }
      return counts
    }
  }
}

/// The numbers of transactions and changes in a store's persistent history.
package struct HistoryCounts: Hashable, Sendable {
  package var transactionCount = 0
  package var insertCount = 0
  package var updateCount = 0
  package var deleteCount = 0
}

#endif
