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
        Target(measure: .timeComparedWith(PeerName.rawLMDB), bound: 1.5, stretch: 1.2),
        Target(measure: .speedComparedWith(PeerName.grdb), bound: 5, stretch: 8),
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
      targets: [
        Target(measure: .speedComparedWith(PeerName.grdb), bound: 3.5, stretch: 6),
        Target(measure: .journalBytesPerPayloadByte, bound: 1.3),
      ])
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
        Target(measure: .timeComparedWith(PeerName.rawLMDB), bound: 1.15, stretch: 1),
        Target(measure: .timeComparedWith(PeerName.grdb), bound: 1.8, stretch: 1),
      ])
  }

  func concurrentCommits() -> Job {
    let count = settings.commits * 2
    return Job(
      name: "commit-concurrent",
      summary: "\(grouped(count)) durable commits of one update, \(settings.writers) writers, "
        + "\(grouped(settings.rows)) objects",
      unit: "commit", warmUpRounds: 1,
      contestants: [
        BaselineUpdates(
          workload, name: PeerName.rawLMDBGrouped, count: count, commitsPerFlush: settings.writers, settings: settings)
      ] + daybook.concurrentUpdates(workload, count: count) + [
        GRDBConcurrentUpdates(workload, count: count, writers: settings.writers)
      ],
      targets: [Target(measure: .speedComparedWith(PeerName.grdb), bound: 3, stretch: 10)])
  }
}
