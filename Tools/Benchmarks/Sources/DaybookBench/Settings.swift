/// How large the jobs are.
struct Settings: Encodable {
  /// Objects in the stores.
  let rows: Int
  let rounds: Int

  /// How the records' timestamps, and so the rows of the sorted view, lie to the order in which they are written.
  let timestamps: Workload.TimestampOrder

  /// A git repository, for the job that imports one.
  let repository: String?

  /// Durable commits of one writer in a round.
  let commits: Int

  /// Objects in a commit of the bulk jobs.
  var commitSize: Int { 1000 }

  /// Commits in one transaction of the engine, where nothing is flushed.
  var commitsPerTransaction: Int { 10 }

  var writers: Int { 8 }
  var fetchLimit: Int { 20 }
}
