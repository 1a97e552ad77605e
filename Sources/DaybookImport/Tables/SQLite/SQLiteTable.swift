#if Import

/// A table of a SQLite file, as its schema declares it.
struct SQLiteTable: Hashable, Sendable {
  let name: String
  /// The columns without generated ones.
  let columns: [SQLiteColumn]
  /// The columns of the primary key, in its order; empty without one.
  let primaryKey: [String]
  /// Whether the primary key is another name of the row number.
  let isRowNumber: Bool
  /// A name of the row number that no column has, or `nil` without a row number.
  let rowNumber: String?
  let foreignKeys: [SQLiteForeignKey]
  /// The columns of each unique index and constraint, without the primary key.
  let unique: [[String]]
  /// The other indexes; their properties are columns.
  let indexes: [SourceIndex]
  /// The columns whose collation only their application has, in lower case.
  let foreignCollations: Set<String>

  /// Returns a column, whose name SQLite compares without case.
  func column(_ name: String) -> SQLiteColumn? { columns.first { $0.name.folded == name.folded } }

  /// Returns whether columns are the primary key or a unique constraint, in any order.
  func isKey(_ names: [String]) -> Bool {
    let wanted = Set(names.map { $0.folded })
    return ([primaryKey] + unique).contains { !$0.isEmpty && Set($0.map { $0.folded }) == wanted }
  }
}

/// A column.
struct SQLiteColumn: Hashable, Sendable {
  let name: String
  let declared: String
  let isRequired: Bool
  /// The default as SQL.
  let defaultText: String?

  var affinity: SQLiteAffinity { SQLiteAffinity(declared: declared) }
}

/// A foreign key.
struct SQLiteForeignKey: Hashable, Sendable {
  let columns: [String]
  let parent: String
  /// The columns of the parent; empty for its primary key.
  let parentColumns: [String]
  /// The action in SQL, such as `SET NULL`.
  let onDelete: String
}

extension String {
  /// The name in quotes, as SQL has it.
  var quotedName: String { "\"" + replacingQuotes + "\"" }

  private var replacingQuotes: String {
    split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
  }

  /// The name with lower-case ASCII letters, the only ones whose case SQLite ignores in names.
  var folded: String {
    String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

#endif
