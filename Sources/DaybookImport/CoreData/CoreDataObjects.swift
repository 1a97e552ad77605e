#if Import

import DaybookModel
import Foundation
import GRDB

/// The objects and links of one store file, read by the model of the version that wrote it.
///
/// A link is computed from the row that has it, so no table of keys is kept. Rows that a link names and that do not
/// exist are found by a join in SQLite, not in memory.
package struct CoreDataObjects: ObjectSource {
  package let store: CoreDataStore
  package let lookup: SourceLookup
  package let layout: StoreLayout
  package let relationships: [SourceField]
  let joinTables: [SourceField: JoinTable]
  private let externalDirectory: String

  /// Creates the reader of a store's objects.
  ///
  /// Fields whose columns the store lacks have no values and no links; ``notes()`` lists them.
  package init(_ store: CoreDataStore, _ lookup: SourceLookup) {
    self.store = store
    self.lookup = lookup
    let layout = StoreLayout(lookup, numbers: store.numbers(lookup))
    self.layout = layout
    relationships = lookup.model.entities.flatMap { entity in
      entity.relationships.map { SourceField(entity.name, $0.name) }.filter { layout.links[$0] != nil }
    }
    var joinTables: [SourceField: JoinTable] = [:]
    for (field, links) in layout.links where links == .joinTable {
      joinTables[field] = JoinTable(field, in: layout, store.schema)
    }
    self.joinTables = joinTables
    externalDirectory = CoreDataObjects.externalDirectory(of: store.path)
  }

  /// Returns the directory of a store's external files: `.NAME_SUPPORT/_EXTERNAL_DATA` beside it.
  static func externalDirectory(of path: String) -> String {
    let url = URL(fileURLWithPath: path)
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().path + "/.\(name)_SUPPORT/_EXTERNAL_DATA"
  }

  package var name: String { store.path }
  package var identity: ObjectID? { store.metadata.identity }

  package func objectName(_ key: SourceKey) -> String {
    switch key.number {
    case .row(let number): "\(key.root)/p\(number)"
    case .text(let text): "\(key.root)/\(text)"
    }
  }

  package func attributes(of entity: String) -> [(field: SourceField, attribute: SourceAttribute)] {
    lookup.attributes(of: entity).filter { $0.attribute.isStored && !$0.attribute.type.isComposite }
  }

  package func objectCounts() throws -> [String: Int] {
    var counts = Dictionary(uniqueKeysWithValues: lookup.model.entities.map { ($0.name, 0) })
    for root in lookup.roots where hasTable(root.name) {
      let table = quoted(layout.table(of: root.name))
      try store.file.read { database in
        let rows = try Row.fetchCursor(database, sql: "SELECT Z_ENT, count(*) FROM \(table) GROUP BY Z_ENT")
        while let row = try rows.next() {
          guard let entity = row.integer(0).flatMap(layout.numbers.entity), lookup.root(of: entity) == root.name else {
            continue
          }
          counts[entity] = row.count(1)
        }
      }
    }
    return counts
  }

  package func forEachObject(of entity: String, _ body: (SourceObject) throws -> Void) throws {
    guard let number = layout.numbers[entity], hasTable(entity) else { return }
    let fields = attributes(of: entity)
    let table = layout.table(of: entity)
    let columns = fields.map { column(of: $0.field, $0.attribute, in: table) }
    let sql = """
      SELECT \((["Z_PK"] + columns).joined(separator: ", ")) FROM \(quoted(table)) WHERE Z_ENT = ? ORDER BY Z_PK
      """
    let root = lookup.root(of: entity)
    try store.file.read { database in
      let rows = try Row.fetchCursor(database, sql: sql, arguments: [number])
      while let row = try rows.next() {
        guard let key = row.integer(0) else { continue }
        try body(object(row, entity, SourceKey(root: root, row: key), fields))
      }
    }
  }

  private func object(
    _ row: Row, _ entity: String, _ key: SourceKey, _ fields: [(field: SourceField, attribute: SourceAttribute)]
  ) -> SourceObject {
    var (values, faults): ([SourceValue], [SourceValueFault]) = ([], [])
    values.reserveCapacity(fields.count)
    for (index, (field, attribute)) in fields.enumerated() {
      let stored = StoredValue(
        stored: (row[index + 1] as DatabaseValue).storage, attribute: attribute, externalDirectory: externalDirectory)
      let (value, fault) = stored.converted()
      values.append(value)
      if let fault { faults.append(SourceValueFault(field, fault, was: stored.text)) }
    }
    return SourceObject(entity: entity, key: key, values: values, faults: faults)
  }

  /// Returns the expression that selects an attribute: its column, or null where the store lacks it.
  private func column(of field: SourceField, _ attribute: SourceAttribute, in table: String) -> String {
    guard let column = layout.columns[field], store.schema.hasColumn(column, in: table) else { return "NULL" }
    guard [.string, .uri].contains(attribute.type), store.isUTF8 else { return quoted(column) }
    // As bytes, because SQLite's text ends at a NUL when it is read.
    return "CASE typeof(\(quoted(column))) WHEN 'text' THEN CAST(\(quoted(column)) AS BLOB) ELSE \(quoted(column)) END"
  }

  func hasTable(_ entity: String) -> Bool {
    let table = layout.table(of: entity)
    return ["Z_PK", "Z_ENT"].allSatisfy { store.schema.hasColumn($0, in: table) }
  }

  func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}

#endif
