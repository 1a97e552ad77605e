#if Import

/// The preferred storage of a column, which SQLite derives from the declared type (“Datatypes In SQLite”, section 3.1).
enum SQLiteAffinity: Hashable, Sendable {
  case integer
  case text
  case blob
  case real
  case numeric

  init(declared: String) {
    let type = declared.uppercased()
    if type.contains("INT") {
      self = .integer
    } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
      self = .text
    } else if type.isEmpty || type.contains("BLOB") {
      self = .blob
    } else {
      self = ["REAL", "FLOA", "DOUB"].contains(where: type.contains) ? .real : .numeric
    }
  }
}

/// The purpose of a column that its declared type states, and SQLite does not enforce.
enum SQLitePurpose: Hashable, Sendable {
  case boolean
  case date
  case decimal
  case uuid

  init?(declared: String) {
    let type = declared.uppercased()
    if type.contains("BOOL") {
      self = .boolean
    } else if type.contains("DATE") || type.contains("TIMESTAMP") {
      self = .date
    } else if ["DECIMAL", "NUMERIC", "MONEY", "CURRENCY"].contains(where: type.contains) {
      self = .decimal
    } else if ["UUID", "GUID", "UNIQUEIDENTIFIER"].contains(where: type.contains) {
      self = .uuid
    } else {
      return nil
    }
  }
}

#endif
