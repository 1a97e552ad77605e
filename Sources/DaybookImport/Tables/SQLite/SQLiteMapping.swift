#if Import

import DaybookModel
import GRDB

/// The model that follows from the tables of a SQLite file: which table is an entity, and which keys are relationships.
///
/// A table is an entity, unless it has nothing but two foreign keys, which together are its primary key: then it is a
/// relationship of many to many. A foreign key that names the key of a table that is read is a to-one relationship, and its
/// columns are no attributes; another foreign key is left out, with a note, and its columns stay.
struct SQLiteMapping {
  /// A foreign key that becomes a relationship.
  private struct Reference {
    let table: SQLiteTable
    let key: SQLiteForeignKey
    let parent: SQLiteTable
    let join: SQLiteLink.Join
    var name = ""
  }

  private(set) var model = SourceModel()
  private(set) var entities: [SQLiteEntity] = []
  /// The relationships in the order of declaration, with what they are read from.
  private(set) var links: [(field: SourceField, link: SQLiteLink)] = []
  private(set) var notes: [SourceNote]
  /// The column of each attribute, the columns of each relationship, and the table of each entity, as the file names them.
  private(set) var origins: [String: String] = [:]

  private let tables: [SQLiteTable]
  private let keys: [String: SQLiteKey]
  private let options: SQLiteOptions
  private var references: [String: [Reference]] = [:]
  private var entityNames: [String: String] = [:]
  private var fieldNames: [String: FieldNames] = [:]
  private var fields: [String: [String: String]] = [:]

  /// Maps a schema, and reads all values for their types.
  ///
  /// - Throws: `ImportError` for a table without any key, and for a wrong option.
  init(_ schema: SQLiteSchema, _ database: Database, options: SQLiteOptions, file: String) throws {
    tables = schema.tables
    notes = schema.notes
    if Set(["Z_METADATA", "Z_PRIMARYKEY"]).isSubset(of: schema.tables.map(\.name)) {
      notes.append(
        SourceNote(
          .general, "Z_METADATA",
          "The file is a store of Core Data; the import for Core Data knows what its tables mean."))
    }
    self.options = options
    try SQLiteMapping.checkNames(of: tables, file: file)
    var keys: [String: SQLiteKey] = [:]
    for table in tables {
      guard let key = SQLiteKey(table) else {
        throw ImportError(
          .usage, "the table “\(table.name)” has no primary key, and columns with all names of its row number",
          file: file,
          advice: "rename one of its columns \(["rowid", "_rowid_", "oid"].joined(separator: ", "))")
      }
      keys[table.name] = key
    }
    self.keys = keys
    for table in tables { references[table.name] = table.foreignKeys.compactMap { reference($0, of: table) } }
    let joined = Set(references.values.joined().map(\.parent.name))
    let linkTables = tables.filter { !joined.contains($0.name) && isLinkTable($0) }
    let others = tables.filter { table in !linkTables.contains { $0.name == table.name } }
    try checkTypes(file: file)
    nameEntities(others)
    for table in others { try add(table, database) }
    for table in others { addRelationships(of: table) }
    for table in linkTables { addRelationships(ofLinks: table) }
    for table in others { addConstraints(of: table) }
  }

  /// Checks that no two names are the same text in other bytes, which SQLite distinguishes and Unicode does not.
  private static func checkNames(of tables: [SQLiteTable], file: String) throws(ImportError) {
    for (place, names) in [(file, tables.map(\.name))] + tables.map({ ($0.name, $0.columns.map(\.name.folded)) }) {
      guard Set(names).count < names.count else { continue }
      throw ImportError(
        .usage, "two names in “\(place)” are the same text in different bytes", file: file,
        advice: "rename one of the tables or columns")
    }
  }

  private func checkTypes(file: String) throws(ImportError) {
    let columns = Set(tables.flatMap { table in table.columns.map { "\(table.name).\($0.name)" } })
    guard let wrong = options.types.keys.sorted().first(where: { !columns.contains($0) }) else { return }
    throw ImportError(
      .usage, "a type is given for “\(wrong)”, which is not a column", file: file, advice: "write TABLE.COLUMN")
  }

  // MARK: Foreign keys

  /// Returns the relationship of a foreign key, or `nil` with a note if it leads to no row that is read.
  private mutating func reference(_ key: SQLiteForeignKey, of table: SQLiteTable) -> Reference? {
    let columns = key.columns.map { "“\($0)”" }.joined(separator: ", ")
    func note(_ reason: String) -> SourceNote {
      SourceNote(.general, table.name, "The foreign key \(columns) of “\(table.name)” is read as values: \(reason).")
    }
    guard let parent = tables.first(where: { $0.name.folded == key.parent.folded }) else {
      notes.append(note("the table “\(key.parent)” is not read"))
      return nil
    }
    let parentColumns = key.parentColumns.isEmpty ? parent.primaryKey : key.parentColumns
    guard parentColumns.count == key.columns.count, parent.isKey(parentColumns), let target = keys[parent.name],
      key.columns.allSatisfy({ table.column($0) != nil })
    else {
      notes.append(note("it does not name a primary key or unique columns of “\(parent.name)”"))
      return nil
    }
    let join = SQLiteLink.Join(
      parent: target, columns: key.columns, parentColumns: parentColumns, foreignCollations: parent.foreignCollations)
    return Reference(table: table, key: key, parent: parent, join: join)
  }

  private func isLinkTable(_ table: SQLiteTable) -> Bool {
    guard let keys = references[table.name], keys.count == 2, table.foreignKeys.count == 2 else { return false }
    let columns = Set(table.columns.map { $0.name.folded })
    return Set(keys.flatMap(\.key.columns).map { $0.folded }) == columns
      && Set(table.primaryKey.map { $0.folded }) == columns
      && keys[0].key.columns != keys[1].key.columns && keys.allSatisfy { $0.parent.name != table.name }
  }

  /// Returns the columns that relationships take the place of, in lower case.
  private func replacedColumns(of table: SQLiteTable) -> Set<String> {
    Set((references[table.name] ?? []).flatMap(\.key.columns).map { $0.folded })
  }

  // MARK: Entities

  private mutating func nameEntities(_ tables: [SQLiteTable]) {
    var names = FieldNames(entitiesOf: tables.map(\.name))
    for table in tables {
      let name = names.name(for: table.name)
      entityNames[table.name] = name
      origins[name] = table.name
    }
  }

  private mutating func add(_ table: SQLiteTable, _ database: Database) throws {
    let entity = entityNames[table.name] ?? table.name
    let replaced = replacedColumns(of: table)
    let columns = table.columns.filter { !replaced.contains($0.name.folded) }
    var names = FieldNames(fieldsOf: columns.map(\.name))
    let (detections, rowCount) = try SQLiteMapping.detect(columns, of: table, database)
    var source = SourceEntity(name: entity)
    var readers: [SQLiteColumnReader] = []
    for (column, detection) in zip(columns, detections) {
      let name = names.name(for: column.name)
      let given = options.types["\(table.name).\(column.name)"]
      let type = given ?? detection.type.type
      if given == nil, let note = detection.type.note {
        notes.append(SourceNote(.general, "\(table.name).\(column.name)", "“\(table.name)”.“\(column.name)” \(note)."))
      }
      origins["\(entity).\(name)"] = column.name
      fields[table.name, default: [:]][column.name.folded] = name
      readers.append(SQLiteColumnReader(column: column.name, type: type))
      source.attributes.append(
        SQLiteMapping.attribute(column, name, type, detection, isKey: table.primaryKey.contains(column.name)))
    }
    fieldNames[table.name] = names
    model.entities.append(source)
    // The key exists, because the initializer refuses tables without one.
    entities.append(
      SQLiteEntity(name: entity, table: table, key: keys[table.name]!, columns: readers, rowCount: rowCount))
  }

  /// Reads all values of columns.
  private static func detect(
    _ columns: [SQLiteColumn], of table: SQLiteTable, _ database: Database
  ) throws -> ([SQLiteColumnDetection], rowCount: Int) {
    var detections = columns.map { SQLiteColumnDetection($0) }
    let names = columns.map(\.name.quotedName)
    let sql = "SELECT \(names.isEmpty ? "1" : names.joined(separator: ", ")) FROM \(table.name.quotedName)"
    let cursor = try Row.fetchCursor(database, sql: sql)
    var rowCount = 0
    while let row = try cursor.next() {
      rowCount += 1
      for index in columns.indices { detections[index].add(SQLiteStorage(row, index)) }
    }
    return (detections, rowCount)
  }

  private static func attribute(
    _ column: SQLiteColumn, _ name: String, _ type: AttributeType, _ detection: SQLiteColumnDetection, isKey: Bool
  ) -> SourceAttribute {
    var attribute = SourceAttribute(name: name, type: SourceAttributeType(type))
    attribute.isOptional = !column.isRequired && !(isKey && detection.nullCount == 0)
    attribute.declaredDefault = column.defaultText
    attribute.defaultValue = column.defaultText.flatMap { SQLiteDefault.value(of: $0, type: type) }
    return attribute
  }

  // MARK: Relationships

  private mutating func addRelationships(of table: SQLiteTable) {
    guard let entity = entityNames[table.name], let index = model.entities.firstIndex(where: { $0.name == entity })
    else { return }
    for place in (references[table.name] ?? []).indices {
      guard let reference = references[table.name]?[place], let target = entityNames[reference.parent.name] else {
        continue
      }
      let key = reference.key
      let word = key.columns.count == 1 ? FieldWords.withoutID(key.columns[0]) : nil
      let name = fieldNames[table.name, default: FieldNames()].name(for: word ?? reference.parent.name)
      references[table.name]?[place].name = name
      origins["\(entity).\(name)"] = key.columns.joined(separator: ", ")
      var relationship = SourceRelationship(name: name, destination: target)
      relationship.isOptional = !key.columns.allSatisfy { table.column($0)?.isRequired == true }
      relationship.hiddenInverseDeleteRule = SourceRelationship.DeleteRule(sql: key.onDelete)
      let link = SQLiteLink(table: keys[table.name]!, source: nil, target: reference.join, isReversed: false)
      if options.inverses { relationship.inverse = addInverse(of: reference, name, entity, link) }
      model.entities[index].relationships.append(relationship)
      links.append((SourceField(entity, name), link))
    }
  }

  /// Adds the to-many relationship that leads back, and returns its name.
  private mutating func addInverse(of reference: Reference, _ name: String, _ entity: String, _ link: SQLiteLink)
    -> String
  {
    let parent = reference.parent.name
    let isOnly = (references[reference.table.name] ?? []).filter { $0.parent.name == parent }.count == 1
    let word = FieldWords.plural(reference.table.name) + (isOnly ? "" : "_\(name)")
    let inverse = fieldNames[parent, default: FieldNames()].name(for: word)
    var relationship = SourceRelationship(name: inverse, destination: entity)
    relationship.isToMany = true
    relationship.isOptional = true
    relationship.inverse = name
    relationship.deleteRule = SourceRelationship.DeleteRule(sql: reference.key.onDelete)
    append(relationship, to: parent, link.reversed)
    return inverse
  }

  /// Adds both sides of a relationship of many to many.
  private mutating func addRelationships(ofLinks table: SQLiteTable) {
    guard let pair = references[table.name], pair.count == 2, let key = keys[table.name] else { return }
    let names = [(0, 1), (1, 0)].map { own, other in
      let columns = pair[other].key.columns
      let word = (columns.count == 1 ? FieldWords.withoutID(columns[0]) : nil) ?? pair[other].parent.name
      return fieldNames[pair[own].parent.name, default: FieldNames()].name(for: FieldWords.plural(word))
    }
    let link = SQLiteLink(table: key, source: pair[0].join, target: pair[1].join, isReversed: false)
    for (own, other) in [(0, 1), (1, 0)] {
      guard let target = entityNames[pair[other].parent.name] else { continue }
      var relationship = SourceRelationship(name: names[own], destination: target)
      relationship.isToMany = true
      relationship.isOptional = true
      relationship.inverse = names[other]
      // The row of the table of links is deleted, not the other object.
      let rule = SourceRelationship.DeleteRule(sql: pair[own].key.onDelete)
      relationship.deleteRule = rule == .cascade ? .nullify : rule
      append(relationship, to: pair[own].parent.name, own == 0 ? link : link.reversed)
      if let entity = entityNames[pair[own].parent.name] { origins["\(entity).\(names[own])"] = table.name }
    }
  }

  private mutating func append(_ relationship: SourceRelationship, to table: String, _ link: SQLiteLink) {
    guard let entity = entityNames[table], let index = model.entities.firstIndex(where: { $0.name == entity }) else {
      return
    }
    model.entities[index].relationships.append(relationship)
    links.append((SourceField(entity, relationship.name), link))
  }

  // MARK: Constraints

  private mutating func addConstraints(of table: SQLiteTable) {
    guard let entity = entityNames[table.name], let index = model.entities.firstIndex(where: { $0.name == entity })
    else { return }
    var seen: Set<Set<String>> = []
    for columns in [table.primaryKey] + table.unique where !columns.isEmpty {
      guard let names = fieldList(columns, of: table) else {
        notes.append(
          SourceNote(
            .general, table.name,
            "The unique columns \(columns.map { "“\($0)”" }.joined(separator: ", ")) of “\(table.name)” are not kept: one is a part of a foreign key."
          ))
        continue
      }
      if seen.insert(Set(names)).inserted { model.entities[index].uniquenessConstraints.append(names) }
    }
    for declared in table.indexes {
      let elements = declared.elements.compactMap { element in
        fields[table.name]?[element.property.folded].map {
          SourceIndex.Element(property: $0, isDescending: element.isDescending)
        }
      }
      // Links are indexed anyway.
      guard elements.count == declared.elements.count else { continue }
      model.entities[index].indexes.append(SourceIndex(name: declared.name, elements: elements))
    }
  }

  /// Returns the fields of unique columns, or `nil` if they have a part of a foreign key only.
  private func fieldList(_ columns: [String], of table: SQLiteTable) -> [String]? {
    let wanted = Set(columns.map { $0.folded })
    var names: [String] = []
    for column in columns {
      if let attribute = fields[table.name]?[column.folded] {
        names.append(attribute)
        continue
      }
      let whole = (references[table.name] ?? []).first { reference in
        let key = Set(reference.key.columns.map { $0.folded })
        return key.contains(column.folded) && key.isSubset(of: wanted)
      }
      guard let whole else { return nil }
      if !names.contains(whole.name) { names.append(whole.name) }
    }
    return names
  }
}

#endif
