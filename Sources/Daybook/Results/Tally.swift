import DaybookModel
import DaybookQuery

/// The live rows of a request, and the measure computed over them.
final class Tally {
  private let results: LiveResults
  private var rows: MeasuredRows
  /// Whether the rows of the last change were out of reach, so that the next one reads all.
  private var isStale = false
  private(set) var value = LiveValue(position: .empty, value: .null)

  /// - Parameter wakeup: Signaled when there may be another value.
  init(_ measure: Measure, of request: FetchRequest, in store: Store, wakeup: Wakeup = Wakeup()) throws {
    rows = MeasuredRows(measure, of: request)
    results = try LiveResults(rows.request, of: store, wakeup: wakeup)
    try readRows { try rows.read($0) }
    while isStale { _ = try update() }
  }

  /// - Returns: Whether there was a change.
  func update() throws -> Bool {
    guard let change = try results.update() else { return false }
    try readRows { isStale ? try rows.read($0) : try rows.move(by: change, to: $0) }
    return true
  }

  /// Calls `measure` with the shown rows.
  ///
  /// Just after a commit of a model, the rows of the change before it cannot be read; another change follows.
  private func readRows(_ measure: (RowView) throws -> Value) throws {
    do {
      try results.withRows { shown in
        value = LiveValue(position: shown.position, value: try measure(shown))
      }
      isStale = false
    } catch let error as StoreError where error.code == .expired {
      isStale = true
    }
  }
}
