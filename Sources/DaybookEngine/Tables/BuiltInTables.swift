import LMDB

/// The tables of the built-in projections in their present generations.
package struct BuiltInTables: Sendable {
  package let objects: Table
  package let links: Table
  package let indexes: Table
  package let unique: Table
  package let counts: Table
  /// Where the stretches begin whose entries are counted.
  let boundaries: StretchBoundaries

  /// Creates the value from tables in the order of ``TableName``.
  ///
  /// - Parameter boundaries: Other boundaries are for tests; all writers and readers of a table must use the same ones.
  package init(_ tables: [Table], boundaries: StretchBoundaries = .standard) {
    precondition(tables.count == TableName.allCases.count, "Each name has one table.")
    objects = tables[TableName.objects.rawValue]
    links = tables[TableName.links.rawValue]
    indexes = tables[TableName.indexes.rawValue]
    unique = tables[TableName.unique.rawValue]
    counts = tables[TableName.counts.rawValue]
    self.boundaries = boundaries
  }

  package subscript(table: TableName) -> Table {
    switch table {
    case .objects: objects
    case .links: links
    case .indexes: indexes
    case .unique: unique
    case .counts: counts
    }
  }
}

extension BuiltInTables {
  /// Opens tables for the process, or returns `nil` if one is missing.
  ///
  /// - Parameter names: The names of the tables, in the order of ``TableName``.
  /// - Throws: The errors of `Environment.openTables(_:)`.
  package init?(_ names: [String], in environment: Environment) throws(LMDBError) {
    let tables = try environment.openTables(names).compactMap { $0 }
    guard tables.count == names.count else { return nil }
    self.init(tables)
  }

  /// Opens tables within a write, or returns `nil` if one is missing.
  ///
  /// - Parameters:
  ///   - names: The names of the tables, in the order of ``TableName``.
  ///   - create: Whether to create the tables that are missing.
  /// - Throws: The errors of `WriteTransaction.openTable(_:create:)`.
  package init?(
    _ names: [String], in transaction: inout WriteTransaction, create: Bool = false
  ) throws(LMDBError) {
    var tables: [Table] = []
    for name in names {
      guard let table = try transaction.openTable(name, create: create) else { return nil }
      tables.append(table)
    }
    self.init(tables)
  }
}

/// The tables of the built-in projections.
package enum TableName: Int, CaseIterable, Sendable {
  /// Entity tag, object id → record.
  case objects
  /// Relationship tag, source id, (order key,) target id; both directions.
  case links
  /// Index tag, encoded terms, object id → nothing.
  case indexes
  /// Constraint tag, values → object id.
  case unique
  /// Level, start of a stretch of an index → number of its entries; see ``CountKeeper``.
  case counts

  /// The tables of which a ``Layer`` has changes: the rows of the counts follow from the rows of the indexes.
  package static let layered: [TableName] = [.objects, .links, .indexes, .unique]

  /// The name shown to users, and the stem of the table's name in the environment.
  ///
  /// Indexes were called views when the first stores were written, and keep that name in the files.
  package var name: String { self == .indexes ? "views" : "\(self)" }

  /// Returns whether the rows of a table in a projections' environment end in a checksum.
  ///
  /// All tables have checksums except indexes: a write stores nothing in the journal that it reads from indexes, and a
  /// damaged row of an index leads to an object that does not exist, or has another place, which reading or verifying
  /// detects.
  package static let hasChecksums: @Sendable (_ table: String) -> Bool = {
    !$0.hasPrefix("\(indexes.name).") && !$0.hasSuffix(".\(indexes.name)")
  }
}

extension TableName {
  /// Parses the name of a table in the environment: the stem, a dot and the generation.
  package init?(ofTable name: String) {
    guard let table = TableName.allCases.first(where: { name.hasPrefix($0.name + ".") }),
      UInt64(name.dropFirst(table.name.count + 1)) != nil
    else { return nil }
    self = table
  }
}
