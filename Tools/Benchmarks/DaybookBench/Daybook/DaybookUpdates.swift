import Daybook
import Foundation

/// Daybook makes durable commits of one update each, from one thread.
final class DaybookUpdates: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let workload: Workload
  private let count: Int
  private let settings: Settings
  private var store: Store?
  private var updates: [Update] = []

  init(_ workload: Workload, count: Int, settings: Settings) {
    self.workload = workload
    self.count = count
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    store = try Store(filledIn: directory, with: workload, settings: settings)
  }

  func beginRound(_ round: Int, in directory: URL) {
    updates = workload.updates(count: count, round: round)
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    let clock = ContinuousClock()
    let latencies = try updates.map { update in try clock.measure { try store.write { try $0.apply(update) } } }
    return Work(operations: count, latencies: latencies)
  }

  func cleanUp() {
    store?.close()
    store = nil
  }
}

/// Daybook makes durable commits of one update each, from several tasks that wait for each of theirs.
final class DaybookConcurrentUpdates: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let workload: Workload
  private let count: Int
  private let writers: Int
  private let settings: Settings
  private var store: Store?

  init(_ workload: Workload, count: Int, writers: Int, settings: Settings) {
    self.workload = workload
    self.count = count
    self.writers = writers
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    store = try Store(filledIn: directory, with: workload, settings: settings)
  }

  func run(round: Int) async throws -> Work {
    let store = prepared(store)
    let updates = workload.updates(count: count, round: round)
    return try await measuringWriters(writers, updates: updates) { update in
      try await store.write { try $0.apply(update) }
    }
  }

  func cleanUp() {
    store?.close()
    store = nil
  }
}
