import Daybook

extension JobBuilder {
  /// A change in results of a thousand rows, and of ten times as many each up to all.
  func liveChange() -> Job {
    var sizes = [1_000]
    while sizes[sizes.count - 1] * 10 <= settings.rows { sizes.append(sizes[sizes.count - 1] * 10) }
    if sizes[sizes.count - 1] != settings.rows, settings.rows > 1_000 { sizes.append(settings.rows) }
    let workloads = sizes.map { $0 == settings.rows ? workload : Workload(count: $0, timestamps: settings.timestamps) }
    let daybook = workloads.map { workload in
      DaybookLiveChange(
        workload, name: workload === self.workload ? "Daybook" : "Daybook, \(grouped(workload.records.count))",
        count: settings.commits)
    }
    let peers = workloads.map { workload in
      // Each takes as long as the list is, and half a second must do for a million rows.
      let count = max(3, min(settings.commits, 1_000_000 / workload.records.count))
      return GRDBLiveChange(workload, name: "GRDB, \(grouped(workload.records.count))", count: count)
    }
    return Job(
      name: "live-change",
      summary: "one row of a live result renamed: from the commit to the difference, "
        + "up to \(grouped(settings.rows)) rows",
      unit: "change", warmUpRounds: 1, contestants: daybook + peers,
      targets: [
        Target(measure: .percentile99, bound: 20e-6, stretch: 5e-6),
        Target(measure: .percentile99ComparedWith(daybook[0].name), bound: 2),
        Target(measure: .speedComparedWith(peers[peers.count - 1].name), bound: 1),
      ])
  }

  func liveMany() -> Job {
    let many = Store.liveGroupCount
    func contestant(_ name: String, requestCount: Int, _ span: DaybookLiveMany.Span) -> DaybookLiveMany {
      DaybookLiveMany(workload, name: name, requestCount: requestCount, span: span, count: settings.commits)
    }
    let one = contestant("Daybook, one open", requestCount: 1, .difference)
    let oneWithCommit = contestant("with the commit, one open", requestCount: 1, .commitAndDifference)
    let manyWithCommit = contestant("with the commit", requestCount: many, .commitAndDifference)
    return Job(
      name: "live-many",
      summary: "\(grouped(many)) live requests open, a commit that touches one of them, "
        + "\(grouped(settings.rows)) objects",
      unit: "change", warmUpRounds: 1,
      contestants: [
        one, contestant("Daybook", requestCount: many, .difference),
        contestant("with the commit, none open", requestCount: 0, .commitAndDifference), oneWithCommit, manyWithCommit,
      ],
      targets: [
        Target(measure: .timeComparedWith(one.name), bound: 3, stretch: 1.2),
        Target(
          subject: manyWithCommit.name, measure: .timeComparedWith(oneWithCommit.name), bound: 3, stretch: 1.2),
      ])
  }

  func liveFirst() -> Job {
    let unindexed = DaybookLiveFirst(
      workload, name: "Daybook, unindexed", order: .unindexed, settings: settings)
    return Job(
      name: "live-first", summary: "the first result of a live request over \(grouped(settings.rows)) rows, store open",
      unit: "result", warmUpRounds: 1,
      contestants: [
        DaybookLiveFirst(workload, name: "Daybook", order: .indexed, settings: settings), unindexed,
        DaybookLiveFirst(workload, name: "Daybook, sections", order: .sectioned, settings: settings),
      ],
      targets: [
        Target(measure: .secondsPerOperation, bound: 150e-3, stretch: 64e-3),
        Target(measure: .heldBytesPerRow, bound: 2),
        Target(subject: unindexed.name, measure: .secondsPerOperation, bound: 600e-3),
      ])
  }

  func livePage() -> Job {
    let count = settings.commits * 5
    let bySection = DaybookLivePage(
      workload, name: "Daybook, by section and row", addressing: .sectionAndRow, count: count, settings: settings)
    return Job(
      name: "live-page",
      summary: "\(settings.fetchLimit) rows from the middle of a live result of \(grouped(settings.rows))",
      unit: "page", warmUpRounds: 1,
      contestants: [
        DaybookLivePage(workload, name: "Daybook", addressing: .offset, count: count, settings: settings), bySection,
        GRDBFetch(workload, method: .offset, count: settings.commits / 20, settings: settings),
      ],
      targets: [
        Target(measure: .secondsPerOperation, bound: 20e-6, stretch: 3e-6),
        Target(subject: bySection.name, measure: .secondsPerOperation, bound: 20e-6, stretch: 3e-6),
        Target(measure: .speedComparedWith(PeerName.grdbOffset), bound: 1),
      ])
  }
}
