import DaybookModel
import DaybookTestSupport

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Comparisons of large values with the ones that the operations had.
extension RandomRun {
  /// Notes the values in the events of a commit, which the store has from then on.
  func noteLargeValues(of plan: Plan) {
    for event in plan.events {
      for value in Array(event.values.values) + event.changes.values.joined() {
        switch value {
        case .large(let large): largeValues[large.sha256] = large.size
        case .data(let bytes) where value.isLarge: largeValues[Digest(hashing: bytes.rawSpan)] = bytes.count
        default: break
        }
      }
    }
  }

  /// Checks that a stored value is a reference to the bytes that an operation had.
  func checkBytes(of value: Value, _ wanted: Value) throws {
    guard case .large(let large) = value else { throw Mismatch("\(wanted) is not stored by its digest") }
    guard case .data(let bytes) = try wanted.loaded(), try large.bytes() == bytes else {
      throw Mismatch("the bytes of \(large) are other ones")
    }
  }

  /// Checks that the store has each value that an event holds, whole and once, and no others.
  func checkLargeValues() throws {
    let table = LargeValueTable(store.files.journalEnvironment)
    for (digest, size) in largeValues {
      guard let value = try store.largeValue(digest), value.size == size else {
        throw Mismatch("the store lacks the value \(digest) of \(size) bytes")
      }
      try table.check(value)
    }
    let totals = try table.totals()
    guard totals.count == largeValues.count, totals.sizeInBytes == largeValues.values.reduce(0, +) else {
      throw Mismatch("the store has \(totals) in large values instead of \(largeValues.values)")
    }
  }
}
