/// How large the jobs are.
struct Settings: Codable {
  /// Objects in the stores.
  let rows: Int
  let rounds: Int

  /// How the records' timestamps, and so the rows of the sorted view, lie to the order in which they are written.
  let timestamps: Workload.TimestampOrder

  /// A git repository, for the job that imports one.
  let repository: String?

  /// A Python with the package `duckdb`, for the job that groups rows; `nil` to leave DuckDB out.
  var duckDB: String?

  /// The command that imports it, or `nil` for the one that the root of the repository builds for release.
  let command: String?

  /// Durable commits of one writer in a round.
  let commits: Int

  /// How long commits are made while a reader is live or dead before the growth of the files is measured, in seconds.
  ///
  /// A writer frees the pages that a dead reader keeps once in 10 seconds.
  let readerWaitInSeconds: Double

  /// Objects in a commit of the bulk jobs.
  var commitSize: Int { 1000 }

  /// Commits in one transaction of the engine, where nothing is flushed.
  var commitsPerTransaction: Int { 10 }

  var fetchLimit: Int { 20 }
}
