import CBaseline
import Foundation

extension BaselineStore {
  /// A store that holds the workload and flushes its journal from now on.
  convenience init(filledIn directory: URL, with workload: Workload, settings: Settings) throws {
    try BaselineStore.fill(directory, with: workload, settings: settings)
    try self.init(in: directory, flushesJournal: true, rows: workload.records.count)
  }

  private static func fill(_ directory: URL, with workload: Workload, settings: Settings) throws {
    let store = try BaselineStore(in: directory, flushesJournal: false, rows: workload.records.count)
    try store.ingest(
      workload.records.map(baseline_record.init), commitSize: settings.commitSize,
      commitsPerTransaction: settings.commitsPerTransaction)
  }
}
