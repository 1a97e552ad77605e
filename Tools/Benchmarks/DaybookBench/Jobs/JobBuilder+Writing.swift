extension JobBuilder {
  func ingest() -> Job {
    let untuned = GRDBVariant(durability: .off)
    let tuned = GRDBVariant.tunedForBulk(.off)
    return Job(
      name: "ingest",
      summary: "\(grouped(settings.rows)) objects, commits of \(grouped(settings.commitSize)), nothing flushed",
      unit: "object", measuresDisk: true,
      contestants: [BaselineIngest(workload, flushesJournal: false, settings: settings)]
        + daybook.ingest(workload, isDurable: false) + [
          GRDBIngest(workload, name: PeerName.grdb, variant: untuned, settings: settings),
          GRDBIngest(workload, name: PeerName.grdbTuned, variant: tuned, settings: settings),
          GRDBIngest(
            workload, name: PeerName.grdbCodable, variant: untuned, style: .codable, settings: settings),
        ],
      targets: [
        Target(measure: .timeComparedWith(PeerName.rawLMDB), bound: 1.3, stretch: 1.15),
        Target(measure: .speedComparedWith(PeerName.grdb), bound: 6, stretch: 8),
      ])
  }

  func flushedIngest() -> Job {
    let untuned = GRDBVariant(durability: .full)
    let tuned = GRDBVariant.tunedForBulk(.full)
    return Job(
      name: "ingest-flushed",
      summary: "\(grouped(settings.rows)) objects, commits of \(grouped(settings.commitSize)), each on disk",
      unit: "object", measuresDisk: true,
      contestants: [BaselineIngest(workload, flushesJournal: true, settings: settings)]
        + daybook.ingest(workload, isDurable: true) + [
          GRDBIngest(workload, name: PeerName.grdb, variant: untuned, settings: settings),
          GRDBIngest(workload, name: PeerName.grdbTuned, variant: tuned, settings: settings),
        ],
      targets: [Target(measure: .timeComparedWith(PeerName.rawLMDB), bound: 1.2, stretch: 1.1)])
  }

  func snapshots() -> Job {
    let without = "Daybook without snapshots"
    return Job(
      name: "snapshots",
      summary: "\(grouped(settings.rows)) objects written while snapshots are made, commits of "
        + "\(grouped(settings.commitSize)), nothing flushed",
      unit: "object",
      contestants: [
        DaybookIngest(workload, name: without, flushesEachCommit: false, settings: settings),
        DaybookIngest(workload, flushesEachCommit: false, keepsSnapshots: true, settings: settings),
      ],
      targets: [Target(measure: .timeComparedWith(without), bound: 1.05)])
  }

  func singleCommit() -> Job {
    let count = settings.commits
    return Job(
      name: "commit",
      summary: "\(grouped(count)) durable commits of one update, one writer, \(grouped(settings.rows)) objects",
      unit: "commit", warmUpRounds: 1,
      contestants: [
        BaselineUpdates(workload, name: PeerName.rawLMDB, count: count, commitsPerFlush: 1, settings: settings)
      ] + daybook.updates(workload, count: count) + [
        GRDBUpdates(workload, name: PeerName.grdb, count: count, variant: GRDBVariant(durability: .full)),
        GRDBUpdates(workload, name: PeerName.grdbTuned, count: count, variant: .tunedForCommits(.full)),
      ],
      targets: [
        Target(measure: .timeComparedWith(PeerName.rawLMDB), bound: 1.05),
        Target(measure: .timeComparedWith(PeerName.grdb), bound: nil, stretch: 1),
      ])
  }

  func concurrentCommits() -> Job {
    concurrentCommits(
      name: "commit-concurrent", writers: 8,
      targets: [Target(measure: .speedComparedWith(PeerName.grdb), bound: 2.8, stretch: 3.1)])
  }

  func crowdedCommits() -> Job {
    concurrentCommits(
      name: "commit-concurrent-64", writers: 64,
      targets: [
        Target(measure: .speedComparedWith(PeerName.grdb), bound: 8, stretch: 15),
        Target(measure: .timeComparedWith(PeerName.rawLMDB(commitsPerFlush: 64)), bound: 1.3),
      ])
  }

  private func concurrentCommits(name: String, writers: Int, targets: [Target]) -> Job {
    // Enough for each writer to wait for many flushes.
    let count = settings.commits * max(2, writers / 8)
    return Job(
      name: name,
      summary: "\(grouped(count)) durable commits of one update, \(writers) writers, \(grouped(settings.rows)) objects",
      unit: "commit", warmUpRounds: 1,
      contestants: [
        BaselineUpdates(
          workload, name: PeerName.rawLMDB(commitsPerFlush: writers), count: count, commitsPerFlush: writers,
          settings: settings)
      ] + daybook.concurrentUpdates(workload, count: count, writers: writers) + [
        GRDBConcurrentUpdates(workload, count: count, writers: writers)
      ],
      targets: targets)
  }
}
