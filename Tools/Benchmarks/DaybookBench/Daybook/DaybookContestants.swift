/// Daybook's side of each job: the slots that the store fills.
///
/// Each function gives the contestants that a job adds to its peers. They are named "Daybook" where a target judges
/// them, with `Role.subject`.
struct DaybookContestants {
  let settings: Settings

  /// All records into a new store; `isDurable` states whether each commit is flushed.
  func ingest(_ workload: Workload, isDurable: Bool) -> [any Contestant] {
    [DaybookIngest(workload, flushesEachCommit: isDurable, settings: settings)]
  }

  /// `count` durable commits of one update each, one after the other.
  func updates(_ workload: Workload, count: Int) -> [any Contestant] {
    [DaybookUpdates(workload, count: count, settings: settings)]
  }

  /// `count` durable commits of one update each, by concurrent writers.
  func concurrentUpdates(_ workload: Workload, count: Int, writers: Int) -> [any Contestant] {
    [DaybookConcurrentUpdates(workload, count: count, writers: writers, settings: settings)]
  }

  /// All projections again from the journal.
  func rebuild(_ workload: Workload) -> [any Contestant] {
    [DaybookRebuild(workload, settings: settings)]
  }

  /// Every event of the journal read and decoded.
  func replay(_ workload: Workload) -> [any Contestant] {
    [DaybookReplay(workload, settings: settings)]
  }

  /// `count` fetches of some rows by offset.
  func fetch(_ workload: Workload, count: Int) -> [any Contestant] {
    [DaybookFetch(workload, count: count, settings: settings)]
  }

  /// `count` openings of a filled store, each with the first read.
  func open(_ workload: Workload, count: Int) -> [any Contestant] {
    [DaybookOpen(workload, count: count, settings: settings)]
  }

  /// `count` readings of the past, each in a store just opened.
  func past(_ workload: Workload, count: Int) -> [any Contestant] {
    [
      DaybookPast(workload, count: count, settings: settings),
      DaybookPast(
        workload, name: "Daybook without snapshots", role: .peer, count: count, settings: settings,
        keepsSnapshots: false),
    ]
  }

  /// A git history into a new store.
  func gitImport(repository: String) -> [any Contestant] {
    [DaybookGitImport(repository: repository, command: settings.command ?? "../../.build/release/daybook")]
  }
}
