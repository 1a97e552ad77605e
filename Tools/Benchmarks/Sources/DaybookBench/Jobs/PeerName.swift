/// The names by which targets refer to contestants.
enum PeerName {
  static let rawLMDB = "raw LMDB"
  static let rawLMDBGrouped = "raw LMDB, 8 a flush"
  static let grdb = "GRDB, history"
  static let grdbTuned = "GRDB, history, tuned"
  static let grdbCodable = "GRDB, history, Codable"
  static let grdbKeyset = "GRDB, keyset"
  static let grdbOffset = "GRDB, OFFSET"
  static let git = "git fast-export"
}
