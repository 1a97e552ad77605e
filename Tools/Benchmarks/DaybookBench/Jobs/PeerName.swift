/// The names by which targets refer to contestants.
enum PeerName {
  static let rawLMDB = "raw LMDB"
  static let rawLMDBFetch = "raw LMDB, 20 rows by key"
  static let threadWake = "thread wake"

  /// The engine with several commits in one transaction.
  static func rawLMDB(commitsPerFlush count: Int) -> String { "\(rawLMDB), \(count) a flush" }

  static let grdb = "GRDB, history"
  static let grdbTuned = "GRDB, history, tuned"
  static let grdbCodable = "GRDB, history, Codable"
  static let grdbCounts = "GRDB, history, counts"
  static let grdbKeyset = "GRDB, keyset"
  static let grdbOffset = "GRDB, OFFSET"
  static let grdbGroups = "GRDB, GROUP BY"
  static let duckDB = "DuckDB, GROUP BY"
  static let git = "git fast-export"
}
