#if Import

import Foundation
import GRDB

/// An open SQLite file that is never changed, nor anything beside it.
///
/// A database without a log is opened as immutable, so that SQLite neither locks it nor writes files beside it. With a
/// `-wal` or `-journal`, whose content is part of the database, all files are copied to a private directory and the copy
/// is opened, because even reading would write. The directory is removed with this object. The application that writes
/// the file must not run meanwhile.
package final class SQLiteFile: Sendable {
  package let path: String
  /// Frames of a `-wal` that no transaction has committed; they are not read.
  package let uncommittedFrameCount: Int
  private let queue: DatabaseQueue
  private let copy: PrivateCopy?

  /// Opens a file and checks that it is whole.
  ///
  /// - Parameter identity: SQL that selects the identity of a store, which a `-wal` of the same store does not change.
  /// - Throws: ``ImportError`` for a file that is missing, encrypted, damaged or changing, or whose log is not its own.
  /// - Complexity: O(*n*) for a file of *n* bytes, which SQLite checks.
  package init(_ path: String, identity: String? = nil) throws {
    self.path = path
    // SQLite looks for the log beside the file that a link leads to.
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let log = FileBytes.exists(real + "-wal") ? try WriteAheadLog.read(real + "-wal") : nil
    let journalSize = FileBytes.exists(real + "-journal") ? try FileBytes.size(of: real + "-journal") : 0
    let header = try SQLiteHeader.read(real, as: path, isComplete: log == nil && journalSize == 0)
    uncommittedFrameCount = log?.uncommittedFrameCount ?? 0
    if let log { try SQLiteFile.check(log, against: header, real) }
    do {
      if log != nil || journalSize > 0 {
        let copy = try PrivateCopy(of: real)
        self.copy = copy
        queue = try SQLiteFile.open(copy.path, isImmutable: false)
      } else {
        copy = nil
        queue = try SQLiteFile.open(real, isImmutable: true)
      }
      try checkPages()
      if log != nil, let identity { try checkIdentity(identity, real) }
    } catch let error as DatabaseError {
      throw ImportError(sqlite: error, file: path)
    }
  }

  /// Calls a closure with the database; calls inside it are allowed.
  ///
  /// - Throws: The closure's errors; ``ImportError`` for SQLite's.
  package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do {
      return try queue.unsafeReentrantRead(body)
    } catch let error as DatabaseError {
      throw ImportError(sqlite: error, file: path)
    }
  }

  private static func open(_ path: String, isImmutable: Bool) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = isImmutable
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      // No function runs that the schema of a foreign file calls.
      try database.execute(
        sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA ignore_check_constraints = ON")
      if isImmutable { try database.execute(sql: "PRAGMA query_only = ON") }
    }
    return try DatabaseQueue(path: isImmutable ? immutableURI(path) : path, configuration: configuration)
  }

  /// Returns the URI that opens a file as immutable.
  private static func immutableURI(_ path: String) throws(ImportError) -> String {
    // Every other byte is escaped, so a name with a question mark does not end the path.
    let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")
    guard let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) else {
      throw ImportError(.usage, "\(path) is not a path that SQLite opens; copy the file to another one")
    }
    return "file:\(escaped)?immutable=1"
  }

  // MARK: Checks

  /// Asks SQLite whether all pages and rows are whole, so that a damaged file is refused and not read in part.
  ///
  /// With a log, indexes are compared with their tables too, because a log of another database changes only some of them.
  private func checkPages() throws {
    // Without its application's own orders of text, SQLite cannot compare the indexes that use them.
    let whole = copy == nil ? nil : try? faults("PRAGMA integrity_check(100)")
    // These are about values, which other checks cover.
    let harmless = ["NULL value in", "CHECK constraint failed in", "NUMERIC value in", "TEXT value in"]
    let fault = try (whole ?? quickFaults()).first { fault in
      fault != "ok" && !harmless.contains { fault.hasPrefix($0) } && !fault.contains(" value in ")
        && !(copy == nil && fault.hasPrefix("non-unique entry in"))
    }
    guard let fault else { return }
    let hint = copy == nil ? "" : "; if the file beside it (-wal or -journal) comes from elsewhere, remove it"
    throw ImportError(
      .data,
      "\(path) is damaged: \(fault)\(hint). Take it from a backup, or repair it, as with the command .recover of sqlite3."
    )
  }

  private func quickFaults() throws -> [String] {
    do {
      return try faults("PRAGMA quick_check(100)")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // The schema calls a function, an order or a module of its application; the tables themselves are read later.
      return []
    }
  }

  private func faults(_ sql: String) throws -> [String] {
    try queue.unsafeReentrantRead { try Row.fetchAll($0, sql: sql).map { $0.text(0) ?? "SQLite does not answer" } }
  }

  /// Compares the identity of the store with and without its log, which are the same store.
  private func checkIdentity(_ sql: String, _ path: String) throws {
    // A store whose first transaction is in the log has no identity without it.
    let alone = try? SQLiteFile.open(path, isImmutable: true).unsafeReentrantRead {
      try Row.fetchOne($0, sql: sql)?.text(0)
    }
    guard let alone else { return }
    let together = try? queue.unsafeReentrantRead { try Row.fetchOne($0, sql: sql)?.text(0) }
    guard alone == together else { throw SQLiteFile.foreignLog(path) }
  }

  private static func check(_ log: WriteAheadLog, against header: SQLiteHeader, _ path: String) throws(ImportError) {
    guard log.committedFrameCount > 0 else { return }
    guard log.pageSize == header.pageSize, header.isInLogMode else { throw foreignLog(path) }
    // A transaction that changes the number of pages writes the first page, which has the number.
    guard log.pages.contains(1) || log.pageCount == header.pageCount else { throw foreignLog(path) }
    // Pages beyond the end of the database are in its log.
    let fileCount = try FileBytes.size(of: path) / header.pageSize
    guard log.pageCount <= fileCount || (fileCount + 1...log.pageCount).allSatisfy(log.pages.contains) else {
      throw foreignLog(path)
    }
  }

  private static func foreignLog(_ path: String) -> ImportError {
    ImportError(
      .data,
      "\(path)-wal belongs to another database than \(path), so nothing is read; put the two files of one database "
        + "side by side, or remove the -wal if the database was closed")
  }
}

#endif
