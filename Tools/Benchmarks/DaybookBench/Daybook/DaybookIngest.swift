import Daybook
import Foundation

/// Daybook writes all records into a new store.
final class DaybookIngest: Contestant {
  let name: String
  let role = Role.subject
  private let workload: Workload
  private let flushesEachCommit: Bool
  private let keepsSnapshots: Bool
  private let settings: Settings
  private var store: Store?

  /// - Parameters:
  ///   - flushesEachCommit: Whether each commit is flushed; if not, many share a flush.
  ///   - keepsSnapshots: Whether snapshots are made in the background, as a store makes them by default.
  init(
    _ workload: Workload, name: String = "Daybook", flushesEachCommit: Bool, keepsSnapshots: Bool = false,
    settings: Settings
  ) {
    self.workload = workload
    self.name = name
    self.flushesEachCommit = flushesEachCommit
    self.keepsSnapshots = keepsSnapshots
    self.settings = settings
  }

  func beginRound(_ round: Int, in directory: URL) throws {
    store = try Store(benchmarking: workload, in: directory, keepsSnapshots: keepsSnapshots)
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    let clock = ContinuousClock()
    let elapsed = try clock.measure {
      try store.ingest(
        workload.records, commitSize: settings.commitSize,
        commitsPerFlush: flushesEachCommit ? 1 : settings.commitsPerTransaction)
    }
    let journalSize = try bytesOnDisk(below: URL(filePath: store.path).appending(path: "journal"))
    return Work(
      operations: workload.records.count, elapsed: elapsed,
      figures: [.journalBytesPerPayloadByte: Double(journalSize) / Double(workload.payloadSizeInBytes)])
  }

  func endRound(_ round: Int) {
    store?.close()
    store = nil
  }
}
