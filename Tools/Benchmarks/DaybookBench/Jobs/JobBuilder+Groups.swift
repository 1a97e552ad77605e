extension JobBuilder {
  func groups() -> Job {
    let peer = GRDBGroups(workload, name: PeerName.grdbGroups)
    return Job(
      name: "groups",
      summary:
        "\(grouped(settings.rows)) objects in \(grouped(GroupedTasks.groupCount)) groups, with count, sum and average",
      unit: "fetch", warmUpRounds: 1, contestants: [peer, DaybookGroups(workload)] + duckDB(),
      targets: [Target(measure: .timeComparedWith(peer.name), bound: 1.5)])
  }

  private func duckDB() -> [any Contestant] {
    settings.duckDB.map { [DuckDBGroups(workload, python: $0)] } ?? []
  }

  func declaredGroups() -> Job {
    func page(_ name: String, _ page: DaybookGroupPage.Page, count: Int) -> DaybookGroupPage {
      DaybookGroupPage(workload, name: name, page, count: count, settings: settings)
    }
    let list = page("Daybook, list", .list, count: 200)
    return Job(
      name: "declared-groups",
      summary: "the first \(settings.fetchLimit) of \(grouped(GroupedTasks.groupCount)) declared groups, "
        + "\(grouped(settings.rows)) objects; the list is a page of all objects",
      unit: "page", warmUpRounds: 1,
      contestants: [
        list, page("Daybook", .groups, count: 200), page("Daybook, just opened", .firstGroups, count: 20),
      ], targets: [Target(measure: .timeComparedWith(list.name), bound: 3)])
  }

  func liveGroups() -> Job {
    let list = DaybookLiveGroups(workload, name: "Daybook, list", isGrouped: false, count: settings.commits)
    return Job(
      name: "live-groups",
      summary: "one object's amount changed: from the end of the commit's flush to the difference of "
        + "\(grouped(GroupedTasks.groupCount)) groups, \(grouped(settings.rows)) objects",
      unit: "change", warmUpRounds: 1,
      contestants: [
        list, DaybookLiveGroups(workload, name: "Daybook", isGrouped: true, count: settings.commits),
        GRDBGroups(workload, name: PeerName.grdbGroups, updateCount: max(2, settings.commits / 200)),
      ], targets: [Target(measure: .timeComparedWith(list.name), bound: 3)])
  }
}
