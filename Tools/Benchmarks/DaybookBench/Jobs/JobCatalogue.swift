/// All jobs, by the names that `--only` takes.
struct JobCatalogue {
  let settings: Settings

  static let names = builders.map(\.name)

  private typealias Builder = (name: String, build: @Sendable (JobBuilder) -> Job?)

  private static let builders: [Builder] = [
    ("ingest", { $0.ingest() }),
    ("ingest-flushed", { $0.flushedIngest() }),
    ("commit", { $0.singleCommit() }),
    ("commit-concurrent", { $0.concurrentCommits() }),
    ("commit-concurrent-64", { $0.crowdedCommits() }),
    ("snapshots", { $0.snapshots() }),
    ("rebuild", { $0.rebuild() }),
    ("replay", { $0.replay() }),
    ("fetch", { $0.fetch() }),
    ("open", { $0.open() }),
    ("open-page", { $0.openPage() }),
    ("past", { $0.past() }),
    ("live-change", { $0.liveChange() }),
    ("live-shared", { $0.liveShared() }),
    ("live-many", { $0.liveMany() }),
    ("live-sum", { $0.liveValue() }),
    ("live-first", { $0.liveFirst() }),
    ("live-page", { $0.livePage() }),
    ("observed", { $0.observed() }),
    ("memory", { $0.memory() }),
    ("reader-growth", { $0.readerGrowth() }),
    ("derived-rebuild", { $0.derivedRebuild() }),
    ("derived-inline", { $0.derivedInline() }),
    ("derived-live", { $0.derivedLive() }),
    ("derived-past", { $0.derivedPast() }),
    ("derived-memory", { $0.derivedMemory() }),
    ("groups", { $0.groups() }),
    ("declared-groups", { $0.declaredGroups() }),
    ("live-groups", { $0.liveGroups() }),
    ("ask", { $0.ask() }),
    ("git-import", { $0.gitImport() }),
  ]

  /// The jobs with these names, or all; one that lacks what it needs is left out.
  func jobs(named names: [String]) throws -> [Job] {
    for name in names where !Self.names.contains(name) {
      throw BenchmarkError.unknownJob(name, known: Self.names)
    }
    let builder = JobBuilder(settings: settings)
    return Self.builders.filter { names.isEmpty || names.contains($0.name) }.compactMap { $0.build(builder) }
  }
}
