extension JobBuilder {
  func rebuild() -> Job {
    Job(
      name: "rebuild", summary: "all projections of \(grouped(settings.rows)) objects from the journal", unit: "object",
      contestants: [BaselineRebuild(workload, settings: settings)] + daybook.rebuild(workload),
      targets: [Target(measure: .timeComparedWith(PeerName.rawLMDB), bound: 0.7)])
  }

  /// The target of 30 million events a second was 3.3 times what was measured, 2.5 times as fast as GRDB. The ratio to
  /// GRDB is what another machine can judge by.
  func replay() -> Job {
    Job(
      name: "replay", summary: "the events of \(grouped(settings.rows)) objects read and decoded, no projection",
      unit: "object", warmUpRounds: 1,
      contestants: [BaselineReplay(workload, settings: settings)] + daybook.replay(workload) + [GRDBReplay(workload)],
      targets: [
        Target(measure: .eventsPerSecond, bound: 30_000_000, stretch: 50_000_000),
        Target(measure: .speedComparedWith(PeerName.grdb), bound: 8.25, stretch: 12.5),
      ])
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
      targets: [Target(measure: .timeComparedWith(PeerName.rawLMDB), bound: 1.3, stretch: 1.1)])
  }

  func openPage() -> Job {
    let warm = DaybookLivePage(
      workload, name: "Daybook, warm", addressing: .offset, count: settings.commits * 5, settings: settings)
    let count = DaybookFirstPage(
      workload, name: "Daybook, count", .count, count: settings.commits / 20, settings: settings)
    return Job(
      name: "open-page",
      summary:
        "\(settings.fetchLimit) rows by offset \(grouped(settings.rows / 2)), and the number of rows, in a store "
        + "just opened",
      unit: "read", warmUpRounds: 1,
      contestants: [
        warm,
        DaybookFirstPage(workload, name: "Daybook", .page, count: settings.commits / 20, settings: settings), count,
      ],
      targets: [
        Target(measure: .timeComparedWith(warm.name), bound: 3),
        Target(subject: count.name, measure: .timeComparedWith(warm.name), bound: 3),
      ])
  }

  func open() -> Job {
    let count = settings.commits / 10
    return Job(
      name: "open", summary: "a store of \(grouped(settings.rows)) objects, opened, one object read", unit: "open",
      warmUpRounds: 1,
      contestants: [BaselineOpen(workload, count: count, settings: settings)] + daybook.open(workload, count: count)
        + [GRDBOpen(workload, count: count)],
      targets: [Target(measure: .timeComparedWith(PeerName.rawLMDB), bound: 2.5)])
  }

  func past() -> Job {
    let count = max(4, settings.commits / 50)
    return Job(
      name: "past",
      summary: "a store of \(grouped(settings.rows)) events opened, \(settings.fetchLimit) rows read at any position",
      unit: "read", warmUpRounds: 1, contestants: daybook.past(workload, count: count),
      targets: [Target(measure: .percentile99, bound: 1)])
  }

  func ask() -> Job {
    let reading = DaybookQuestion(
      workload, name: "Daybook, all commits read", .message, count: 1)
    return Job(
      name: "ask",
      summary:
        "\(DaybookQuestion.answerCount) commits of an author, among \(grouped(settings.rows)) commits of one event",
      unit: "question", warmUpRounds: 1,
      contestants: [
        reading,
        DaybookQuestion(workload, name: "Daybook", .author, count: max(20, settings.commits / 10)),
      ],
      targets: [Target(measure: .percentile99, bound: 0.001)])
  }

  /// Nothing without a repository.
  func gitImport() -> Job? {
    guard let repository = settings.repository else { return nil }
    return Job(
      name: "git-import", summary: "a git history, first parents", unit: "git commit", warmUpRounds: 1,
      contestants: [GitExport(repository: repository)] + daybook.gitImport(repository: repository),
      targets: [Target(measure: .timeComparedWith(PeerName.git), bound: 0.8)])
  }
}
