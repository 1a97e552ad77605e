extension JobBuilder {
  func rebuild() -> Job {
    Job(
      name: "rebuild", summary: "all projections of \(grouped(settings.rows)) objects from the journal", unit: "object",
      contestants: [BaselineRebuild(workload, settings: settings)] + daybook.rebuild(workload),
      targets: [Target(measure: .eventsPerSecond, bound: 700_000, stretch: 1_200_000)])
  }

  func replay() -> Job {
    Job(
      name: "replay", summary: "the events of \(grouped(settings.rows)) objects read and decoded, no projection",
      unit: "object", warmUpRounds: 1,
      contestants: [BaselineReplay(workload, settings: settings)] + daybook.replay(workload) + [GRDBReplay(workload)],
      targets: [Target(measure: .eventsPerSecond, bound: 10_000_000, stretch: 30_000_000)])
  }

  func fetch() -> Job {
    let count = settings.commits * 5
    return Job(
      name: "fetch",
      summary: "\(settings.fetchLimit) rows from the middle of \(grouped(settings.rows)), by timestamp and name",
      unit: "fetch", warmUpRounds: 1,
      contestants: [BaselineFetch(workload, count: count, settings: settings)] + daybook.fetch(workload, count: count)
        + [
          GRDBFetch(workload, method: .keyset, count: count, settings: settings),
          GRDBFetch(workload, method: .offset, count: settings.commits / 20, settings: settings),
        ],
      targets: [Target(measure: .secondsPerOperation, bound: 20e-6, stretch: 3e-6)])
  }

  func open() -> Job {
    let count = settings.commits / 10
    return Job(
      name: "open", summary: "a store of \(grouped(settings.rows)) objects, opened, one object read", unit: "open",
      warmUpRounds: 1,
      contestants: [BaselineOpen(workload, count: count, settings: settings)] + daybook.open(workload, count: count)
        + [GRDBOpen(workload, count: count)],
      targets: [Target(measure: .secondsPerOperation, bound: 10e-3)])
  }

  func past() -> Job {
    let count = max(4, settings.commits / 50)
    return Job(
      name: "past",
      summary: "a store of \(grouped(settings.rows)) events opened, \(settings.fetchLimit) rows read at any position",
      unit: "read", warmUpRounds: 1, contestants: daybook.past(workload, count: count),
      targets: [Target(measure: .percentile99, bound: 1)])
  }

  /// Nothing without a repository.
  func gitImport() -> Job? {
    guard let repository = settings.repository else { return nil }
    return Job(
      name: "git-import", summary: "a git history, first parents", unit: "git commit", warmUpRounds: 1,
      contestants: [GitExport(repository: repository)] + daybook.gitImport(repository: repository),
      targets: [Target(measure: .timeComparedWith(PeerName.git), bound: 1)])
  }
}
