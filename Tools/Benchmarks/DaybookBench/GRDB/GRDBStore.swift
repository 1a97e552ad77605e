import Foundation
import GRDB

/// What a user of GRDB would build to get records with their history: a table, two indexes, and triggers that write
/// the old and the new values of each change to a second table.
final class GRDBStore {
  let pool: DatabasePool

  /// - Parameter variant: The same one each time a file is opened.
  init(in directory: URL, variant: GRDBVariant) throws {
    var configuration = Configuration()
    if let size = variant.cacheSizeInKibibytes {
      // Negative by SQLite's convention: positive numbers are pages.
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(size)") }
    }
    pool = try DatabasePool(
      path: directory.appending(path: "store.sqlite").path(percentEncoded: false), configuration: configuration)
    try apply(variant)
    try createTables(countedPeriod: variant.countedPeriod)
  }

  /// Closes all connections.
  func close() throws {
    try pool.close()
  }

  /// Sets what GRDB would override while it opens a pool: it asks for NORMAL, which does not flush each commit.
  private func apply(_ variant: GRDBVariant) throws {
    let durability = variant.durability
    try pool.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
      if let interval = variant.checkpointIntervalInPages {
        try database.execute(sql: "PRAGMA wal_autocheckpoint = \(interval)")
      }
      let set = try Int.fetchOne(database, sql: "PRAGMA synchronous")
      guard set == durability.number else {
        throw BenchmarkError.unexpectedSetting(name: "synchronous", value: "\(set ?? -1)")
      }
    }
  }

  /// Moves what is in the write-ahead log to the database file, so that a measured job does not begin with it.
  func checkpoint() throws {
    _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }
}
