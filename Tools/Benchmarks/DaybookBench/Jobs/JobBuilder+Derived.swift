/// The jobs about projections with derived entities.
extension JobBuilder {
  func derivedRebuild() -> Job {
    func contestant(_ name: String, _ role: Role, projectionCount: Int) -> DaybookDerivedRebuild {
      DaybookDerivedRebuild(workload, name: name, role: role, projectionCount: projectionCount, settings: settings)
    }
    let builtIn = contestant("built-in projections", .peer, projectionCount: 0)
    let one = contestant("Daybook", .subject, projectionCount: 1)
    let two = contestant("two projections", .subject, projectionCount: 2)
    return Job(
      name: "derived-rebuild",
      summary: "a derived row updated for each of \(grouped(settings.rows)) events, with one look-up, from the journal",
      unit: "event", contestants: [builtIn, one, two],
      targets: [
        Target(measure: .timeComparedWith(builtIn.name), bound: 2.5),
        Target(subject: two.name, measure: .timeComparedWith(one.name), bound: 1.3),
        Target(measure: .figure(.bytesPerDerivedChange), bound: 64 + CountProjection.bytesInChange),
      ])
  }

  func derivedInline() -> Job {
    let without = DaybookDerivedIngest(
      workload, name: "Daybook without projection", isCounted: false, settings: settings)
    let plain = GRDBVariant(durability: .off)
    let counted = GRDBVariant(durability: .off, countedPeriod: workload.period)
    return Job(
      name: "derived-inline",
      summary: "\(grouped(settings.rows)) objects, commits of \(grouped(settings.commitSize)), nothing flushed, "
        + "a derived row updated for each",
      unit: "object", measuresDisk: true,
      contestants: [
        without, DaybookDerivedIngest(workload, name: "Daybook", isCounted: true, settings: settings),
        GRDBIngest(workload, name: PeerName.grdb, variant: plain, settings: settings),
        GRDBIngest(workload, name: PeerName.grdbCounts, variant: counted, settings: settings),
      ],
      targets: [Target(measure: .timeComparedWith(without.name), bound: 1.6)])
  }

  func derivedLive() -> Job {
    let stored = DaybookLiveChange(workload, name: "Daybook, stored list", count: settings.commits)
    return Job(
      name: "derived-live",
      summary: "one row of a live result of \(grouped(settings.rows)) derived rows renamed by an inline projection: "
        + "from the end of the commit's flush to the difference",
      unit: "change", warmUpRounds: 1,
      contestants: [
        stored, DaybookLiveChange(workload, name: "Daybook", count: settings.commits, isDerived: true),
      ],
      targets: [Target(measure: .timeComparedWith(stored.name), bound: 2)])
  }

  func derivedPast() -> Job {
    let count = max(4, settings.commits / 50)
    let stored = DaybookPast(workload, name: "Daybook, stored", role: .peer, count: count, settings: settings)
    return Job(
      name: "derived-past",
      summary: "a store of \(grouped(settings.rows)) events and half as many changes of derived rows opened, "
        + "\(settings.fetchLimit) of these read at any position",
      unit: "read", warmUpRounds: 1,
      contestants: [stored, DaybookPast(workload, count: count, settings: settings, isDerived: true)],
      targets: [Target(measure: .timeComparedWith(stored.name), bound: 1.5)])
  }

  func derivedMemory() -> Job {
    Job(
      name: "derived-memory",
      summary: "the memory of a process that makes \(grouped(settings.rows)) derived rows from the journal, "
        + "pages of files excluded",
      unit: "row", contestants: [DaybookMemory(settings: settings, isDerived: true)],
      targets: [Target(measure: .figure(.peakBytes), bound: 256 * 1_048_576)])
  }
}
