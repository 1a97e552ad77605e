/// How SQLite is set up.
struct GRDBVariant {
  enum Durability: String {
    /// Nothing is flushed; a power failure may cost the file.
    case off = "OFF"
    /// Each commit is on disk when it returns.
    case full = "FULL"

    /// What SQLite answers when it is asked.
    var number: Int { self == .off ? 0 : 2 }
  }

  var durability: Durability

  /// The settings that a tuned database would change. `nil` leaves GRDB's default.
  ///
  /// Larger pages and tables without row ids were tried and are slower: a commit of a thousand touches a page for almost
  /// every category, and the log holds whole pages.
  var cacheSizeInKibibytes: Int?

  /// How many pages the write-ahead log grows to before it is moved into the file.
  ///
  /// A large one helps bulk work and made the median single commit half as dear again, presumably because a flush costs
  /// more while the log's file still grows than when it is written over.
  var checkpointIntervalInPages: Int?

  /// The length of a period, in microseconds, of a table with the number of records by category and period, which a
  /// trigger keeps; `nil` for none.
  var countedPeriod: Int64?
}

extension GRDBVariant {
  /// For bulk work: a cache that holds the database, and rare checkpoints.
  static func tunedForBulk(_ durability: Durability) -> GRDBVariant {
    GRDBVariant(durability: durability, cacheSizeInKibibytes: 262_144, checkpointIntervalInPages: 20_000)
  }

  /// For single commits: a cache that holds the database.
  static func tunedForCommits(_ durability: Durability) -> GRDBVariant {
    GRDBVariant(durability: durability, cacheSizeInKibibytes: 262_144)
  }
}
