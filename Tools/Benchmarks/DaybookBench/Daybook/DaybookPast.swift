import Daybook
import Foundation

/// Daybook opens a store and reads objects by their order, as it was at a position anywhere in its history.
///
/// The history has as many events as the store has rows: one half inserts and relates, the other renames and sets, of
/// anything, in commits of a hundred. Each operation opens the store again, so that what a process does once, such as
/// comparing a snapshot with its digest, counts too.
final class DaybookPast: Contestant {
  let name: String
  let role: Role
  private let workload: Workload
  private let count: Int
  private let settings: Settings
  private let keepsSnapshots: Bool
  private let isDerived: Bool
  private var path: String?
  private var head = Position.empty

  /// - Parameter isDerived: Whether copies of the objects are read, which an inline projection makes.
  init(
    _ workload: Workload, name: String = "Daybook", role: Role = .subject, count: Int, settings: Settings,
    keepsSnapshots: Bool = true, isDerived: Bool = false
  ) {
    self.workload = workload
    self.name = name
    self.role = role
    self.count = count
    self.settings = settings
    self.keepsSnapshots = keepsSnapshots
    self.isDerived = isDerived
  }

  private var options: StoreOptions {
    var options = StoreOptions()
    if !keepsSnapshots { options.snapshotIntervalInEvents = 0 }
    if isDerived { options.projections = [CopyProjection()] }
    return options
  }

  func prepare(in directory: URL) throws {
    let store = try Store(benchmarking: workload, in: directory, keepsSnapshots: keepsSnapshots, options: options)
    let records = Array(workload.records.prefix(settings.rows / 4))
    try store.ingest(records, commitSize: 100, commitsPerFlush: 100)
    let updates = workload.updates(count: settings.rows / 4, amongFirst: records.count)
    for start in stride(from: 0, to: updates.count, by: 10_000) {
      try store.batch { batch in
        for first in stride(from: start, to: min(start + 10_000, updates.count), by: 100) {
          try batch.commit { tx in
            for update in updates[first..<min(first + 100, updates.count)] { try tx.apply(update) }
          }
        }
      }
    }
    if keepsSnapshots { try store.makeSnapshots() }
    head = try store.position
    path = store.path
    let snapshots = store.snapshots
    let megabytes = snapshots.reduce(0) { $0 + $1.sizeInBytes } >> 20
    let text = "\(name): head \(head), snapshots at \(snapshots.map(\.position)), \(megabytes) MiB\n"
    FileHandle.standardError.write(Data(text.utf8))
    store.close()
  }

  func run(round: Int) throws -> Work {
    var random = SplitMix64(seed: UInt64(round + 3000))
    let clock = ContinuousClock()
    let entity = isDerived ? CopyProjection.entity : "Task"
    let request = Request(entity: entity, sort: [SortTerm(path: ["timestamp"])], limit: settings.fetchLimit)
    var work = Work(operations: count, digest: 0, elapsed: .zero)
    for _ in 0..<count {
      let position = Position(UInt64.random(in: 2...head.number, using: &random))
      let start = clock.now
      let store = try Store(at: prepared(path), options: options)
      let objects = try store.at(position).fetch(request).rows
      let elapsed = clock.now - start
      store.close()
      work.add(elapsed)
      work.digest? &+= objects.reduce(0) { $0 &+ $1.digest }
    }
    return work
  }
}
