#if Import

import DaybookModel
import GRDB

/// A store file of Core Data: its metadata, tables and entities, before a model is known.
///
///     let store = try CoreDataStore("Recipes.sqlite")
///     let lookup = try SourceLookup(store.compiledModel() ?? …, origin: store.path)
///     let objects = CoreDataObjects(store, lookup)
///
/// The file is never changed: see ``SQLiteFile``.
package final class CoreDataStore: Sendable {
  package let file: SQLiteFile
  package let metadata: StoreMetadata
  package let schema: StoreSchema
  /// The rows of `Z_PRIMARYKEY`.
  package let entityRows: [EntityRow]
  /// Whether text is stored as UTF-8, as Core Data always does.
  let isUTF8: Bool

  /// A row of `Z_PRIMARYKEY`.
  package struct EntityRow: Hashable, Sendable {
    package let number: Int64
    /// The name of the entity, which can be a former one.
    package let name: String
  }

  /// Opens a store.
  ///
  /// - Throws: ``ImportError`` for a file that is missing, encrypted, damaged, or not a store of Core Data.
  package init(_ path: String) throws {
    file = try SQLiteFile(path, identity: "SELECT Z_UUID FROM Z_METADATA")
    let file = file
    (schema, isUTF8) = try file.read { database in
      let encoding = try Row.fetchOne(database, sql: "PRAGMA encoding")?.text(0)
      return (try CoreDataStore.schema(of: database), encoding == "UTF-8")
    }
    try CoreDataStore.checkKind(schema, path)
    metadata = try file.read { try StoreMetadata($0, path: path) }
    entityRows = try file.read { database in
      try Row.fetchAll(database, sql: "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT").compactMap { row in
        guard let number = row.integer(0), let name = row.text(1) else { return nil }
        return EntityRow(number: number, name: name)
      }
    }
    guard !entityRows.isEmpty else {
      throw ImportError(.data, "\(path): Z_PRIMARYKEY has no entities; the store is damaged, so take it from a backup")
    }
  }

  package var path: String { file.path }

  private static func schema(of database: Database) throws -> StoreSchema {
    var tables: [String: [StoreSchema.Column]] = [:]
    let sql = """
      SELECT m.name, c.name, c.type FROM sqlite_master m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.name, c.cid
      """
    let rows = try Row.fetchCursor(database, sql: sql)
    while let row = try rows.next() {
      guard let table = row.text(0), let column = row.text(1) else { continue }
      tables[table, default: []].append(StoreSchema.Column(name: column, sqlType: row.text(2) ?? ""))
    }
    return StoreSchema(tables: tables)
  }

  /// Refuses a database that Core Data did not write.
  private static func checkKind(_ schema: StoreSchema, _ path: String) throws(ImportError) {
    let missing = [
      ("Z_METADATA", ["Z_UUID", "Z_PLIST"]), ("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME"]),
    ].filter { table, columns in !columns.allSatisfy { schema.hasColumn($0, in: table) } }
    guard !missing.isEmpty else { return }
    if schema.tables.contains(where: { $0.key.hasPrefix("ecd") && schema.hasColumn("__objectid", in: $0.key) }) {
      throw ImportError(
        .usage,
        "\(path) is a store of encrypted-core-data, whose layout is its own; migrate it to a plain store with "
          + "`migratePersistentStore` in the application, and import that")
    }
    throw ImportError(
      .usage,
      "\(path) is an SQLite database, but not a store of Core Data: it lacks the table \(missing[0].0) with its "
        + "columns; import it with `daybook import sqlite`")
  }

  /// Returns the compiled model that the store carries, or `nil` without one, as before about iOS 9.
  ///
  /// - Throws: ``ImportError`` for a model that cannot be read.
  package func compiledModel() throws -> SourceModel? {
    guard schema.hasColumn("Z_CONTENT", in: "Z_MODELCACHE") else { return nil }
    let content = try file.read { try Row.fetchOne($0, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE")?.bytes(0) }
    guard let content, !content.isEmpty else { return nil }
    return try CompiledModelReader.read(compressed: content, origin: "the compiled model in \(path)")
  }

  /// Returns the numbers of a model's entities in this store.
  package func numbers(_ lookup: SourceLookup) -> EntityNumbers {
    EntityNumbers(lookup, rows: entityRows.map { (number: $0.number, name: $0.name) })
  }

  /// Returns how well a model fits the store's tables.
  package func fit(_ lookup: SourceLookup) -> LayoutFit {
    LayoutFit(StoreLayout(lookup, numbers: numbers(lookup)), schema)
  }
}

#endif
