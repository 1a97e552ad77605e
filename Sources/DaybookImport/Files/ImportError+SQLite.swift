#if Import

import GRDB

extension ImportError {
  /// Makes the error for an error of SQLite.
  init(sqlite error: DatabaseError, file: String) {
    let message = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_NOTADB:
      self.init(
        .usage, "the file is not an SQLite database, or is encrypted (\(message))", file: file,
        advice: "decrypt it first, with the program that wrote it")
    case .SQLITE_CORRUPT:
      self.init(
        .data, "the database is damaged: \(message)", file: file,
        advice: "repair it, for example with the command .recover of sqlite3, or import a backup")
    case .SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_FULL, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_READONLY, .SQLITE_BUSY,
      .SQLITE_NOMEM:
      self.init(
        .inputOutput, "the database cannot be read (\(message))", file: file,
        advice: "check the path, the permissions, the disk and the memory")
    default:
      self.init(.data, "the database cannot be read (\(message))", file: file, advice: "take it from a backup")
    }
  }
}

#endif
