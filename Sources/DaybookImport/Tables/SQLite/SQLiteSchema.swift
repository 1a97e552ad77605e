#if Import

import GRDB

/// The tables of a SQLite file that can be read, and notes about the others.
struct SQLiteSchema {
  private(set) var tables: [SQLiteTable] = []
  private(set) var notes: [SourceNote] = []

  /// Reads the schema.
  init(_ database: Database) throws {
    let virtual = try SQLiteSchema.virtualTables(database)
    for row in try Row.fetchAll(database, sql: "PRAGMA main.table_list") where row["schema"] == "main" {
      let name: String = row["name"]
      let kind: String = row["type"]
      if let reason = SQLiteSchema.reason(toSkip: name, kind: kind, virtual) {
        guard !name.hasSuffix("_schema"), !name.hasSuffix("_master") else { continue }
        notes.append(SourceNote(.skippedTable, name, "“\(name)” is not read: \(reason)."))
      } else {
        tables.append(try table(name, isWithoutRowNumber: row["wr"], database))
      }
    }
    tables.sort { $0.name < $1.name }
    notes.sort { $0.place < $1.place }
  }

  /// Returns the virtual tables with their modules, in lower case.
  private static func virtualTables(_ database: Database) throws -> [(name: String, module: String)] {
    let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'create virtual table%'"
    return try Row.fetchAll(database, sql: sql).map { row in
      let words = (row["sql"] as String? ?? "").lowercased().split { $0.isWhitespace || $0 == "(" }
      let module = words.firstIndex(of: "using").map { words.index(after: $0) }.flatMap {
        words.indices.contains($0) ? words[$0] : nil
      }
      return (name: (row["name"] as String? ?? "").lowercased(), module: String(module ?? ""))
    }
  }

  private static func reason(toSkip name: String, kind: String, _ virtual: [(name: String, module: String)]) -> String?
  {
    if name.lowercased().hasPrefix("sqlite_") { return "it belongs to SQLite" }
    switch kind {
    case "view": return "it is a view, whose rows are in other tables"
    case "virtual": return "it is a virtual table"
    case "shadow": return "it belongs to a virtual table"
    default: break
    }
    // SQLite knows the tables of a virtual table only if it has the module.
    return virtual.contains { isShadow(name.lowercased(), of: $0.name, module: $0.module) }
      ? "it belongs to a virtual table" : nil
  }

  private static func isShadow(_ name: String, of table: String, module: String) -> Bool {
    let ends =
      module.hasPrefix("fts5")
      ? ["data", "idx", "content", "docsize", "config"]
      : module.hasPrefix("fts")
        ? ["content", "segments", "segdir", "docsize", "stat"]
        : module.hasPrefix("rtree") || module.hasPrefix("geopoly") ? ["node", "parent", "rowid"] : []
    return ends.contains { name == "\(table)_\($0)" }
  }

  // MARK: One table

  private mutating func table(
    _ name: String, isWithoutRowNumber: Bool, _ database: Database
  ) throws -> SQLiteTable {
    let rows = try Row.fetchAll(database, sql: "PRAGMA main.table_xinfo(\(name.quotedName))")
    var columns: [SQLiteColumn] = []
    for row in rows {
      let column = SQLiteColumn(
        name: row["name"], declared: row["type"] ?? "", isRequired: row["notnull"], defaultText: row["dflt_value"])
      guard row["hidden"] == 0 else {
        notes.append(
          SourceNote(
            .general, "\(name).\(column.name)", "“\(name)”.“\(column.name)” is not read: it is a generated column."))
        continue
      }
      columns.append(column)
    }
    let key = rows.filter { ($0["pk"] as Int) > 0 }.sorted { ($0["pk"] as Int) < ($1["pk"] as Int) }
      .map { $0["name"] as String }
    let names = Set(rows.map { ($0["name"] as String).folded })
    let indexes = try self.indexes(of: name, database)
    let type = rows.first { $0["name"] == key.first }.map { ($0["type"] as String? ?? "").uppercased() }
    return SQLiteTable(
      name: name, columns: columns, primaryKey: key,
      isRowNumber: !isWithoutRowNumber && key.count == 1 && type == "INTEGER" && !indexes.hasKey,
      rowNumber: isWithoutRowNumber ? nil : ["rowid", "_rowid_", "oid"].first { !names.contains($0) },
      foreignKeys: try foreignKeys(of: name, database), unique: indexes.unique, indexes: indexes.others,
      foreignCollations: indexes.foreignCollations)
  }

  private func foreignKeys(of table: String, _ database: Database) throws -> [SQLiteForeignKey] {
    var keys: [Int: [Row]] = [:]
    for row in try Row.fetchAll(database, sql: "PRAGMA main.foreign_key_list(\(table.quotedName))") {
      keys[row["id"], default: []].append(row)
    }
    // SQLite lists the last declared key first.
    return keys.sorted { $0.key > $1.key }.map { _, rows in
      let rows = rows.sorted { ($0["seq"] as Int) < ($1["seq"] as Int) }
      let parentColumns = rows.compactMap { $0["to"] as String? }
      return SQLiteForeignKey(
        columns: rows.map { $0["from"] }, parent: rows[0]["table"],
        parentColumns: parentColumns.count == rows.count ? parentColumns : [],
        onDelete: (rows[0]["on_delete"] as String? ?? "NO ACTION").uppercased())
    }
  }

  private struct Indexes {
    var hasKey = false
    var unique: [[String]] = []
    var others: [SourceIndex] = []
    var foreignCollations: Set<String> = []
  }

  private mutating func indexes(of table: String, _ database: Database) throws -> Indexes {
    var indexes = Indexes()
    let list = try Row.fetchAll(database, sql: "PRAGMA main.index_list(\(table.quotedName))")
    for index in list.sorted(by: { ($0["seq"] as Int) > ($1["seq"] as Int) }) {
      let name: String = index["name"]
      let parts = try Row.fetchAll(database, sql: "PRAGMA main.index_xinfo(\(name.quotedName))").filter {
        $0["key"] == 1
      }
      let columns = parts.compactMap { $0["name"] as String? }
      for part in parts {
        guard let column = part["name"] as String?, let collation = part["coll"] as String? else { continue }
        if !["BINARY", "NOCASE", "RTRIM"].contains(collation.uppercased()) {
          indexes.foreignCollations.insert(column.folded)
        }
      }
      if index["origin"] == "pk" {
        indexes.hasKey = true
        continue
      }
      let isWhole = columns.count == parts.count && index["partial"] == 0
      guard index["unique"] == 1 else {
        if isWhole {
          let elements = zip(columns, parts).map { column, part in
            SourceIndex.Element(property: column, isDescending: part["desc"] == 1)
          }
          indexes.others.append(SourceIndex(name: name, elements: elements))
        }
        continue
      }
      guard isWhole else {
        notes.append(
          SourceNote(
            .general, table,
            "The unique index “\(name)” of “\(table)” is not kept: it is about some of the rows, or about an expression."
          ))
        continue
      }
      if parts.contains(where: { ($0["coll"] as String? ?? "BINARY").uppercased() != "BINARY" }) {
        notes.append(
          SourceNote(
            .general, table, "The unique index “\(name)” of “\(table)” compares text by its bytes in the store."))
      }
      indexes.unique.append(columns)
    }
    return indexes
  }
}

#endif
