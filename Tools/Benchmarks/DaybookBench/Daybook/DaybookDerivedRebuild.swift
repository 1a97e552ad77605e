import Daybook
import Foundation

/// Daybook builds the rows of some independent projections again, which count the records; of several, each on a task of its
/// own.
///
/// Without a projection, a store that has lost its built-in projections is opened, and folds the same events into new ones.
final class DaybookDerivedRebuild: Contestant {
  let name: String
  let role: Role
  private let workload: Workload
  private let projections: [CountProjection]
  private let settings: Settings
  private var path: String?
  private var store: Store?

  init(_ workload: Workload, name: String, role: Role = .subject, projectionCount: Int, settings: Settings) {
    self.workload = workload
    self.name = name
    self.role = role
    projections = (0..<projectionCount).map { CountProjection($0 + 1, period: workload.period) }
    self.settings = settings
  }

  private var options: StoreOptions {
    var options = StoreOptions()
    options.snapshotIntervalInEvents = 0
    options.projections = projections
    options.followsProjections = false
    return options
  }

  func prepare(in directory: URL) throws {
    let filled = try Store(plainIn: directory)
    try filled.ingestPlain(workload, settings: settings)
    filled.close()
    path = filled.path
    guard !projections.isEmpty else { return }
    let store = try Store(at: filled.path, options: options)
    self.store = store
    for projection in projections { try store.projection(projection.name).catchUp() }
  }

  func beginRound(_ round: Int, in directory: URL) throws {
    guard projections.isEmpty else { return }
    try FileManager.default.removeItem(at: URL(filePath: prepared(path)).appending(path: "projections"))
  }

  func run(round: Int) async throws -> Work {
    let clock = ContinuousClock()
    let start = clock.now
    let store = try store ?? Store(at: prepared(path), options: options)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for projection in projections {
        group.addTask { try store.projection(projection.name).rebuild() }
      }
      try await group.waitForAll()
    }
    var work = Work(operations: workload.records.count, elapsed: clock.now - start)
    if self.store == nil {
      store.close()
      return work
    }
    for projection in projections { try check(projection, in: store) }
    work.figures[.bytesPerDerivedChange] = try bytesPerChange(of: projections[0], in: store)
    return work
  }

  /// Checks that each record is counted once.
  private func check(_ projection: CountProjection, in store: Store) throws {
    var count = 0
    try store.read { reader in
      try reader.forEachRow(of: Request(entity: projection.entity)) { row, _ in
        if case .integer(let tasks) = row["tasks"] { count += Int(tasks) }
        return true
      }
    }
    guard count == workload.records.count else {
      throw BenchmarkError.unexpectedCount(contestant: name, count)
    }
  }

  private func bytesPerChange(of projection: CountProjection, in store: Store) throws -> Double {
    // A commit changes each of its rows once, however often that is updated.
    var changeCount = 0
    for start in stride(from: 0, to: workload.records.count, by: settings.commitSize) {
      let commit = workload.records[start..<min(start + settings.commitSize, workload.records.count)]
      changeCount += Set(commit.map { [AnyHashable($0.categoryID), $0.timestamp / projection.period] }).count
    }
    return try Double(store.projection(projection.name).changesSizeInBytes()) / Double(changeCount)
  }

  func cleanUp() {
    store?.close()
    store = nil
  }
}
