import Daybook
import Foundation

/// Daybook writes all records into a new store, many commits to a flush, and an inline projection counts them.
final class DaybookDerivedIngest: Contestant {
  let name: String
  let role = Role.subject
  private let workload: Workload
  private let isCounted: Bool
  private let settings: Settings
  private var store: Store?

  /// - Parameter isCounted: Whether there is the projection.
  init(_ workload: Workload, name: String, isCounted: Bool, settings: Settings) {
    self.workload = workload
    self.name = name
    self.isCounted = isCounted
    self.settings = settings
  }

  func beginRound(_ round: Int, in directory: URL) throws {
    store = try Store(
      plainIn: directory,
      knowing: isCounted ? [CountProjection(mode: .inline, period: workload.period)] : [])
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    let elapsed = try ContinuousClock().measure { try store.ingestPlain(workload, settings: settings) }
    return Work(operations: workload.records.count, elapsed: elapsed)
  }

  func endRound(_ round: Int) {
    store?.close()
    store = nil
  }
}
