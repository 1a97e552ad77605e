import DaybookModel
import LMDB

/// Collects the results of a verification: faults up to a limit, notes, and counts.
final class FaultList {
  /// The counts and notes so far.
  var summary = StoreVerification()
  private(set) var faults: [Fault] = []
  private(set) var isCutShort = false
  /// Whether the check used tables that were not all of the journal's.
  var needsRestart = false

  var isEmpty: Bool { faults.isEmpty }
  /// Whether the limit of faults is reached, so that further checks are useless.
  var isFull: Bool { faults.count >= StoreVerification.maximumFaultCount }

  func report(_ part: Fault.Part, _ location: String, _ what: String) {
    guard !isFull else {
      isCutShort = true
      return
    }
    faults.append(Fault(location, what, in: part))
  }

  /// Adds the faults that a check of pages found.
  func report(_ part: Fault.Part, _ check: PageCheck) {
    for fault in check.faults { report(part, "\(part.rawValue) file, \(fault.location)", fault.what) }
    if check.isCutShort { isCutShort = true }
  }

  func report(_ position: Position, event: Int? = nil, _ what: String) {
    report(.journal, event.map { "commit \(position), event \($0)" } ?? "commit \(position)", what)
  }

  /// Removes the faults of a part.
  func forget(_ part: Fault.Part) {
    faults.removeAll { $0.part == part }
  }

  /// Removes all results.
  func restart() {
    faults.removeAll()
    isCutShort = false
    needsRestart = false
    summary = StoreVerification()
  }

  /// The complete result.
  var result: StoreVerification {
    var result = summary
    result.faults = faults
    result.isCutShort = isCutShort
    return result
  }

  /// Whether a part has faults.
  func concerns(_ part: Fault.Part) -> Bool { faults.contains { $0.part == part } }
}
