#if Import

/// The tables, columns and SQL types that follow from a model: the whole layout of a store.
///
/// One table holds an entity and all its descendants. A field's column is `Z` and its name in upper case; where several
/// entities of a table declare one name, the later ones, in the order of entity numbers, get a digit.
package struct StoreLayout: Sendable {
  package let lookup: SourceLookup
  package let numbers: EntityNumbers
  /// The columns of attributes and to-one relationships, without their table.
  package private(set) var columns: [SourceField: String] = [:]
  /// The columns for which the model asks, except Core Data's own and the columns of join tables.
  package private(set) var expected: Set<StoreColumn> = []
  /// The places of the links of each stored relationship.
  package private(set) var links: [SourceField: Links] = [:]
  /// The stored relationships whose entity or destination the store lacks.
  package private(set) var absentRelationships: [SourceField] = []

  /// Where the links of a relationship are stored.
  package enum Links: Hashable, Sendable {
    /// In a column of the source's table, which has the target's key.
    case sourceColumn(String)
    /// In a column of the target's table, which has the source's key, and a column with the order key.
    case targetColumn(String, order: String?)
    /// In a table of their own.
    case joinTable
  }

  /// The columns that every table of an entity has.
  package static let ownColumns: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

  package init(_ lookup: SourceLookup, numbers: EntityNumbers) {
    self.lookup = lookup
    self.numbers = numbers
    assignColumns()
    for entity in lookup.model.entities where numbers[entity.name] != nil {
      for relationship in entity.relationships where !relationship.isTransient {
        addLinks(of: SourceField(entity.name, relationship.name), relationship)
      }
    }
  }

  /// Returns the table of an entity's objects.
  package func table(of entity: String) -> String { "Z" + lookup.root(of: entity).uppercased() }

  /// Returns the numbers of an entity and its descendants.
  package func familyNumbers(of entity: String) -> [Int64] { lookup.family(of: entity).compactMap { numbers[$0] } }

  private mutating func assignColumns() {
    var taken: Set<[String]> = []
    let numbered = lookup.model.entities.filter { numbers[$0.name] != nil }
      .sorted { (numbers[$0.name] ?? 0) < (numbers[$1.name] ?? 0) }
    for entity in numbered {
      let attributes = entity.attributes.filter { $0.isStored && !$0.type.isComposite }
        .map { ($0.name, StoreLayout.sqlType(of: $0.type)) }
      let toOne = entity.relationships.filter { !$0.isToMany && !$0.isTransient }.map { ($0.name, "INTEGER") }
      for (name, sqlType) in attributes + toOne {
        let field = SourceField(entity.name, name)
        guard !lookup.isRepeated(field) else { continue }
        let column = StoreLayout.freeColumn(name, in: table(of: entity.name), &taken)
        columns[field] = column
        expected.insert(StoreColumn(table: table(of: entity.name), name: column, sqlType: sqlType))
      }
    }
  }

  /// Returns the first free column for a name, and takes it.
  private static func freeColumn(_ name: String, in table: String, _ taken: inout Set<[String]>) -> String {
    let base = "Z" + name.uppercased()
    var (column, suffix) = (base, 0)
    while !taken.insert([table, column]).inserted {
      suffix += 1
      column = "\(base)\(suffix)"
    }
    return column
  }

  private mutating func addLinks(of field: SourceField, _ relationship: SourceRelationship) {
    guard !lookup.isRepeated(field) else { return }
    guard numbers[relationship.destination] != nil, let number = numbers[field.entity] else {
      absentRelationships.append(field)
      return
    }
    guard relationship.isToMany else { return addToOne(field, relationship) }
    let inverse = lookup.inverse(of: field)
    if let inverse, inverse.relationship.isToMany {
      links[field] = .joinTable
      return
    }
    let table = table(of: relationship.destination)
    // A one-way to-many has a hidden column in the destination's table.
    let column = inverse.map { columns[$0.field] ?? "Z" } ?? "Z\(number)\(relationship.name.uppercased())"
    if inverse == nil { expect(table, column) }
    let order = relationship.isOrdered ? "Z_FOK_" + column.dropFirst() : nil
    if let order { expect(table, order) }
    links[field] = .targetColumn(column, order: order)
  }

  private mutating func addToOne(_ field: SourceField, _ relationship: SourceRelationship) {
    guard let column = columns[field] else { return }
    links[field] = .sourceColumn(column)
    guard lookup.family(of: relationship.destination).count > 1, let number = numbers[relationship.destination] else {
      return
    }
    // The target's entity; its key alone is enough to find it.
    expect(table(of: field.entity), "Z\(number)_\(column.dropFirst())")
  }

  private mutating func expect(_ table: String, _ column: String) {
    expected.insert(StoreColumn(table: table, name: column, sqlType: "INTEGER"))
  }

  /// Returns the SQL type with which Core Data declares the column of an attribute.
  package static func sqlType(of type: SourceAttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .decimal: "DECIMAL"
    case .double, .float: "FLOAT"
    case .string, .uri: "VARCHAR"
    case .date: "TIMESTAMP"
    case .binary, .uuid, .transformable, .composite, .undefined, .objectID: "BLOB"
    }
  }
}

#endif
