#if Import

/// How well a model fits a store: the columns that one of the two has alone.
package struct LayoutFit: Hashable, Sendable {
  /// The columns for which the model asks and that the store lacks, or has with another type.
  package let missingColumns: [StoreColumn]
  /// The columns that the store has alone.
  package let extraColumns: [StoreColumn]
  /// The many-to-many relationships without a table.
  package let missingJoinTables: [SourceField]
  /// The entities that the store lacks.
  package let missingEntities: [String]
  /// The entities that the model lacks.
  package let extraEntities: [String]

  package init(_ layout: StoreLayout, _ schema: StoreSchema) {
    var present: Set<StoreColumn> = []
    for (table, columns) in schema.tables where StoreSchema.isEntityTable(table) {
      for column in columns where !StoreLayout.ownColumns.contains(column.name) {
        present.insert(StoreColumn(table: table, name: column.name, sqlType: column.sqlType))
      }
    }
    // The names of a composite's columns are not known, so they are not compared.
    let composites = LayoutFit.compositePrefixes(of: layout)
    missingColumns = layout.expected.subtracting(present).sorted()
    extraColumns = present.subtracting(layout.expected).sorted().filter { column in
      !composites.contains { $0.table == column.table && column.name.hasPrefix($0.prefix) }
    }
    missingJoinTables = layout.links.filter { $0.value == .joinTable }.map(\.key).sorted()
      .filter { JoinTable($0, in: layout, schema) == nil }
    missingEntities = layout.numbers.missing
    extraEntities = layout.numbers.extra
  }

  private static func compositePrefixes(of layout: StoreLayout) -> [(table: String, prefix: String)] {
    layout.lookup.model.entities.flatMap { entity in
      entity.attributes.filter { $0.type.isComposite && !$0.isTransient }
        .map { (table: layout.table(of: entity.name), prefix: "Z" + $0.name.uppercased()) }
    }
  }

  /// Whether the store has exactly the model's tables and columns.
  package var isExact: Bool { hasSameColumns && missingEntities.isEmpty }

  /// Whether the store has exactly the columns of those entities that it has at all.
  package var hasSameColumns: Bool {
    missingColumns.isEmpty && extraColumns.isEmpty && missingJoinTables.isEmpty && extraEntities.isEmpty
  }

  /// The number of differences, by which the nearest version is found.
  package var distance: Int {
    missingColumns.count + extraColumns.count + missingJoinTables.count + missingEntities.count + extraEntities.count
  }

  /// The first differences in words.
  package var explanation: String {
    let parts: [(String, [String])] = [
      ("the store lacks the entities", missingEntities), ("the model lacks the entities", extraEntities),
      ("the store lacks the columns", missingColumns.map(\.description)),
      ("the model lacks the columns", extraColumns.map(\.description)),
      ("the store lacks a join table of", missingJoinTables.map(\.description)),
    ]
    return parts.filter { !$0.1.isEmpty }.map { "\($0.0) \(LayoutFit.list($0.1))" }.joined(separator: "; ")
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(8).joined(separator: ", ")
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}

#endif
