import CBaseline
import Foundation

/// The raw engine behind a C interface; see `CBaseline.h`.
final class BaselineStore {
  private let handle: OpaquePointer
  private let mapSizeInBytes: Int

  static var engineVersion: String { String(cString: baseline_engine_version()) }

  /// - Parameter rows: About how many objects it will hold; the map is made large enough.
  init(in directory: URL, flushesJournal: Bool, rows: Int) throws {
    mapSizeInBytes = (1 << 30) + rows * 4096
    var handle: OpaquePointer?
    let options = baseline_options(flushes_journal: flushesJournal, map_size_in_bytes: mapSizeInBytes)
    try check("baseline_open", baseline_open(directory.path(percentEncoded: false), options, &handle))
    guard let handle else { preconditionFailure("An open that succeeds gives a store.") }
    self.handle = handle
  }

  deinit {
    baseline_close(handle)
  }

  func ingest(_ records: [baseline_record], commitSize: Int, commitsPerTransaction: Int) throws {
    try check(
      "baseline_ingest", baseline_ingest(handle, records, records.count, commitSize, commitsPerTransaction))
  }

  /// Makes one commit of each update and returns the time of each transaction.
  func apply(_ updates: [baseline_update], commitsPerTransaction: Int) throws -> [Duration] {
    let transactionCount = (updates.count + commitsPerTransaction - 1) / commitsPerTransaction
    var nanoseconds = [UInt64](repeating: 0, count: transactionCount)
    try check(
      "baseline_apply_updates",
      baseline_apply_updates(handle, updates, updates.count, commitsPerTransaction, &nanoseconds))
    return nanoseconds.map { .nanoseconds(Int64($0)) }
  }

  func scanJournal() throws -> baseline_tally {
    var tally = baseline_tally()
    try check("baseline_scan_journal", baseline_scan_journal(handle, &tally))
    return tally
  }

  /// Folds the journal into the fresh projections of an empty directory.
  func rebuild(into directory: URL) throws -> baseline_tally {
    var tally = baseline_tally()
    let path = directory.path(percentEncoded: false)
    try check("baseline_rebuild", baseline_rebuild(handle, path, mapSizeInBytes, &tally))
    return tally
  }

  func fetch(from place: baseline_place, limit: Int) throws -> baseline_tally {
    var tally = baseline_tally()
    try check("baseline_fetch", baseline_fetch(handle, place, limit, &tally))
    return tally
  }

  /// Reads every key of the sorted view.
  func scanView() throws -> baseline_tally {
    var tally = baseline_tally()
    try check("baseline_scan_view", baseline_scan_view(handle, &tally))
    return tally
  }

  /// Wakes a sleeping thread so many times, and returns the time of each.
  static func measureWakes(count: Int, pause: Duration) throws -> [Duration] {
    var nanoseconds = [UInt64](repeating: 0, count: count)
    let pauseInNanoseconds = UInt64(pause / .nanoseconds(1))
    try check("baseline_measure_wakes", baseline_measure_wakes(count, pauseInNanoseconds, &nanoseconds))
    return nanoseconds.map { .nanoseconds(Int64($0)) }
  }

  func get(_ id: UUID) throws -> baseline_tally {
    var tally = baseline_tally()
    let error = withUnsafeBytes(of: id.uuid) { bytes in
      baseline_get(handle, bytes.bindMemory(to: UInt8.self).baseAddress, &tally)
    }
    try check("baseline_get", error)
    return tally
  }
}

private func check(_ call: String, _ error: Int32) throws {
  guard error != 0 else { return }
  throw BenchmarkError.baseline(call: call, message: String(cString: baseline_error_message(error)))
}
