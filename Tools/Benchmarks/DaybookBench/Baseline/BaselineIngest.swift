import CBaseline
import Foundation

/// Raw LMDB writes all records into a new store.
final class BaselineIngest: Contestant {
  let name = PeerName.rawLMDB
  let role = Role.engine
  private let records: [baseline_record]
  private let flushesJournal: Bool
  private let settings: Settings
  private var store: BaselineStore?

  /// - Parameter flushesJournal: Whether each commit is flushed; if not, many commits share a transaction.
  init(_ workload: Workload, flushesJournal: Bool, settings: Settings) {
    records = workload.records.map(baseline_record.init)
    self.flushesJournal = flushesJournal
    self.settings = settings
  }

  func beginRound(_ round: Int, in directory: URL) throws {
    store = try BaselineStore(in: directory, flushesJournal: flushesJournal, rows: records.count)
  }

  func run(round: Int) throws -> Work {
    try prepared(store).ingest(
      records, commitSize: settings.commitSize,
      commitsPerTransaction: flushesJournal ? 1 : settings.commitsPerTransaction)
    return Work(operations: records.count)
  }

  func endRound(_ round: Int) {
    store = nil
  }
}
