import Daybook
import Foundation

/// Daybook writes all records into a new store.
final class DaybookIngest: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let workload: Workload
  private let flushesEachCommit: Bool
  private let settings: Settings
  private var store: Store?

  /// - Parameter flushesEachCommit: Whether each commit is flushed; if not, many share a flush.
  init(_ workload: Workload, flushesEachCommit: Bool, settings: Settings) {
    self.workload = workload
    self.flushesEachCommit = flushesEachCommit
    self.settings = settings
  }

  func beginRound(_ round: Int, in directory: URL) throws {
    store = try Store(benchmarking: workload, in: directory)
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
      journalBytesPerPayloadByte: Double(journalSize) / Double(workload.payloadSizeInBytes))
  }

  func endRound(_ round: Int) {
    store?.close()
    store = nil
  }
}
