import Daybook

extension JobBuilder {
  /// A change in results of a thousand rows, and of ten times as many each up to all.
  func liveChange() -> Job {
    let (workloads, count) = (growingWorkloads, settings.commits)
    let daybook = workloads.map { workload in
      DaybookLiveChange(workload, name: workload === self.workload ? "Daybook" : sizedName(workload), count: count)
    }
    let delivered = DaybookLiveDelivery(workload, name: "Daybook, delivered", count: count)
    let peers = workloads.map { workload in
      // Each takes as long as the list is, and half a second must do for a million rows.
      let count = max(3, min(count, 1_000_000 / workload.records.count))
      return GRDBLiveChange(workload, name: "GRDB, \(grouped(workload.records.count))", count: count)
    }
    let fetch = BaselineFetch(workload, name: PeerName.rawLMDBFetch, count: count * 5, settings: settings)
    func target(_ name: String, _ quantile: Target.Quantile, beyond: String? = nil) -> Target {
      let isMedian = quantile == .median
      return Target(
        subject: name, measure: .latency(quantile, comparedWith: fetch.name, beyond: beyond),
        bound: isMedian ? 0.4 : 1, stretch: isMedian ? 0.16 : 0.4)
    }
    return Job(
      name: "live-change",
      summary: "one row of a live result renamed: from the end of the commit's flush to the difference, "
        + "up to \(grouped(settings.rows)) rows",
      unit: "change", warmUpRounds: 1,
      contestants: [fetch, ThreadWake(count: count)] + daybook + [delivered] + peers,
      targets: [
        target("Daybook", .median), target("Daybook", .percentile99),
        target(delivered.name, .median, beyond: PeerName.threadWake),
        target(delivered.name, .percentile99, beyond: PeerName.threadWake),
      ])
  }

  func liveShared() -> Job {
    func contestant(_ name: String, requestCount: Int) -> DaybookLiveMany {
      DaybookLiveMany(
        workload, name: name, requests: .ofOneGroup(requestCount), span: .difference, count: settings.commits)
    }
    let one = contestant("Daybook, one open", requestCount: 1)
    return Job(
      name: "live-shared",
      summary: "100 different live requests open, a commit that touches all of them, from the end of its flush to all "
        + "differences, \(grouped(settings.rows)) objects",
      unit: "commit", warmUpRounds: 1,
      contestants: [one, contestant("Daybook", requestCount: 100)],
      targets: [Target(measure: .timeComparedWith(one.name), bound: 3, stretch: 2)])
  }

  func liveMany() -> Job {
    let many = Store.liveGroupCount
    func contestant(_ name: String, requestCount: Int, _ span: DaybookLiveMany.Span) -> DaybookLiveMany {
      DaybookLiveMany(
        workload, name: name, requests: .ofEachGroup(requestCount), span: span, count: settings.commits)
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
        Target(measure: .timeComparedWith(one.name), bound: 1.1),
        Target(subject: manyWithCommit.name, measure: .timeComparedWith(oneWithCommit.name), bound: 1.1),
      ])
  }

  func liveValue() -> Job {
    let (small, count) = (growingWorkloads[0], settings.commits)
    func contestant(
      _ name: String, _ workload: Workload,
      _ measure: @escaping @Sendable (Request<StoredObject>) -> Measure<StoredObject>
    ) -> DaybookLiveValue {
      // A value that costs as much as the result is long must not take minutes.
      DaybookLiveValue(workload, name: name, measure: measure, count: max(3, count / 10))
    }
    let smallSum = contestant("sum, \(grouped(small.records.count))", small) { $0.sum("group") }
    let smallCount = contestant("count, \(grouped(small.records.count))", small) { $0.count() }
    let allCount = contestant("count", workload) { $0.count() }
    let allSum = contestant("Daybook", workload) { $0.sum("group") }
    return Job(
      name: "live-sum",
      summary:
        "a live sum and a live count of half of \(grouped(settings.rows)) rows, from the end of a commit's flush "
        + "to the delivery",
      unit: "value", warmUpRounds: 1,
      contestants: [smallSum, allSum, smallCount, allCount],
      targets: [
        Target(measure: .timeComparedWith(smallSum.name), bound: 2),
        Target(subject: allCount.name, measure: .timeComparedWith(smallCount.name), bound: 2),
      ])
  }

  /// The bound of an indexed result is 1.5 times a scan of the index. The others may take so much longer than it as
  /// their targets of 250 and 100 ms are above its 30.
  func liveFirst() -> Job {
    let unindexed = DaybookLiveFirst(
      workload, name: "Daybook, unindexed", order: .unindexed, settings: settings)
    let sections = DaybookLiveFirst(workload, name: "Daybook, sections", order: .sectioned, settings: settings)
    return Job(
      name: "live-first", summary: "the first result of a live request over \(grouped(settings.rows)) rows, store open",
      unit: "result", warmUpRounds: 1,
      contestants: [
        BaselineScan(workload, settings: settings),
        DaybookLiveFirst(workload, name: "Daybook", order: .indexed, settings: settings), unindexed, sections,
      ],
      targets: [
        Target(measure: .timeComparedWith(PeerName.rawLMDB), bound: 1.5),
        Target(subject: unindexed.name, measure: .timeComparedWith(PeerName.rawLMDB), bound: 12.5),
        Target(subject: sections.name, measure: .timeComparedWith(PeerName.rawLMDB), bound: 5),
      ])
  }

  func livePage() -> Job {
    let count = settings.commits * 5
    let bySection = DaybookLivePage(
      workload, name: "Daybook, by section and row", addressing: .sectionAndRow, count: count, settings: settings)
    let fetch = BaselineFetch(workload, name: PeerName.rawLMDBFetch, count: count, settings: settings)
    return Job(
      name: "live-page",
      summary: "\(settings.fetchLimit) rows from the middle of a live result of \(grouped(settings.rows))",
      unit: "page", warmUpRounds: 1,
      contestants: [
        fetch, DaybookLivePage(workload, name: "Daybook", addressing: .offset, count: count, settings: settings),
        bySection, GRDBFetch(workload, method: .offset, count: settings.commits / 20, settings: settings),
      ],
      targets: [
        Target(measure: .timeComparedWith(fetch.name), bound: 1.4, stretch: 1.15),
        Target(subject: bySection.name, measure: .timeComparedWith(fetch.name), bound: 1.4, stretch: 1.15),
      ])
  }

  func observed() -> Job {
    let small = growingWorkloads[0]
    let smallList = DaybookObserved(small, name: "\(grouped(small.records.count)) rows", count: settings.commits)
    return Job(
      name: "observed",
      summary: "a list of \(grouped(settings.rows)) rows on the main actor, one row renamed: from the end of the "
        + "commit's flush until the counts and the rows of a screen are there",
      unit: "change", warmUpRounds: 1,
      contestants: [
        ThreadWake(count: settings.commits), smallList,
        DaybookObserved(workload, name: "Daybook", count: settings.commits),
      ],
      targets: [Target(measure: .timeComparedWith(smallList.name), bound: 2)])
  }

  /// Workloads of a thousand records, of ten times as many each, and the job's own.
  private var growingWorkloads: [Workload] {
    var sizes = [1_000]
    while sizes[sizes.count - 1] * 10 <= settings.rows { sizes.append(sizes[sizes.count - 1] * 10) }
    if sizes[sizes.count - 1] != settings.rows, settings.rows > 1_000 { sizes.append(settings.rows) }
    return sizes.map { $0 == settings.rows ? workload : Workload(count: $0, timestamps: settings.timestamps) }
  }

  private func sizedName(_ workload: Workload) -> String { "Daybook, \(grouped(workload.records.count))" }
}
