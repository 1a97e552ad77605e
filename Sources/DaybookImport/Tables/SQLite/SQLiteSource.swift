#if Import

import DaybookModel
import GRDB

/// The tables of a SQLite file as objects and links.
///
///     let source = try SQLiteSource(path: "shop.sqlite")
///     for entity in source.lookup.model.entities {
///       try source.forEachObject(of: entity.name) { object in … }
///     }
///
/// A table is an entity, a foreign key a to-one relationship, and a table of nothing but two foreign keys a relationship of
/// many to many. The names are names of Daybook; ``origin(of:)`` has the file's. The types follow from the declarations and
/// from all values, so creating the source reads all rows once.
///
/// The file is never changed, and no file is created beside it; see ``SQLiteFile``.
package final class SQLiteSource: ObjectSource {
  private let file: SQLiteFile
  private let mapping: SQLiteMapping
  package let lookup: SourceLookup

  package var name: String { file.path }

  /// Always `nil`: a SQLite file has no identity of its own, so objects are named within the store that imports them.
  package var identity: ObjectID? { nil }

  /// Opens a file, checks it, and reads its schema and the types of all values.
  ///
  /// - Throws: `ImportError`.
  /// - Complexity: O(*n*) for *n* bytes of the file.
  package init(path: String, options: SQLiteOptions = SQLiteOptions()) throws {
    let file = try SQLiteFile(path)
    self.file = file
    mapping = try file.read { database in
      try SQLiteMapping(try SQLiteSchema(database), database, options: options, file: path)
    }
    lookup = try SourceLookup(mapping.model, origin: path)
  }

  /// Returns the file's name of an entity (`Order_Details`) or a field (`Album.Artist`): the table or the columns, or `nil` if
  /// the file has no name for it.
  package func origin(of name: String) -> String? { mapping.origins[name] }

  /// The file's name of each entity and field that has one, by its name in the store: `Order_Details`, `Album.Artist`.
  package var fileNames: [String: String] { mapping.origins }

  package func notes() -> [SourceNote] { mapping.notes }

  package func objectCounts() -> [String: Int] {
    Dictionary(uniqueKeysWithValues: mapping.entities.map { ($0.name, $0.rowCount) })
  }

  package func attributes(of entity: String) -> [(field: SourceField, attribute: SourceAttribute)] {
    lookup.attributes(of: entity)
  }

  package var relationships: [SourceField] { mapping.links.map(\.field) }

  package func forEachObject(of entity: String, _ body: (SourceObject) throws -> Void) throws {
    guard let plan = mapping.entities.first(where: { $0.name == entity }) else { return }
    let names = lookup.attributes(of: entity).map(\.field)
    try file.read { database in
      let cursor = try Row.fetchCursor(database, sql: plan.sql)
      while let row = try cursor.next() {
        var values: [SourceValue] = []
        values.reserveCapacity(plan.columns.count)
        var faults: [SourceValueFault] = []
        for (index, column) in plan.columns.enumerated() {
          let storage = SQLiteStorage(row, plan.key.columnCount + index)
          let value = column.value(storage)
          if value == nil {
            let text = storage.text ?? "bytes"
            faults.append(SourceValueFault(names[index], .wrongType, was: String(text.prefix(80))))
          }
          values.append(.value(value ?? .null))
        }
        let key = plan.key.key(row, at: 0)
        try body(SourceObject(entity: entity, key: key, values: values, faults: faults))
      }
    }
  }

  package func forEachLink(of relationship: SourceField, _ body: (SourceLink) throws -> Void) throws -> [SourceNote] {
    guard let link = mapping.links.first(where: { $0.field == relationship })?.link else { return [] }
    let keys = link.keys
    return try file.read { database in
      let cursor = try Row.fetchCursor(database, sql: link.sql)
      while let row = try cursor.next() {
        let source = keys[0].key(row, at: 0)
        try body(SourceLink(source: source, target: keys[1].key(row, at: keys[0].columnCount)))
      }
      // The other side of the relationship reports them.
      return link.isReversed ? [] : try danglingLinks(of: relationship, link, database)
    }
  }

  private func danglingLinks(
    of relationship: SourceField, _ link: SQLiteLink, _ database: Database
  ) throws -> [SourceNote] {
    let cursor = try Row.fetchCursor(database, sql: link.danglingSQL)
    var (count, first): (Int, String?) = (0, nil)
    while let row = try cursor.next() {
      if count == 0 { first = objectName(link.table.key(row, at: 0)) }
      count += 1
    }
    guard count > 0 else { return [] }
    return [
      SourceNote(
        .danglingLinks, relationship.description, count: count, first: first,
        "\(count) links of \(relationship) name rows that do not exist; the first is in \(first ?? "").")
    ]
  }

  package func objectName(_ key: SourceKey) -> String {
    switch key.number {
    case .row(let number): "\(key.root)/\(number)"
    case .text(let text): "\(key.root)/\(text)"
    }
  }
}

#endif
