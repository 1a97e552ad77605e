import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The live rows of a request, and the measure computed over them.
final class Tally {
  private let results: LiveResults
  private var rows: MeasuredRows
  /// Whether the value is to be computed from all rows, because they were not read yet, or not after the last change.
  private var isStale = true
  private(set) var value = LiveValue(position: .empty, value: .null)

  /// - Parameter wakeup: Signaled when there may be another value.
  init(_ measure: Measure, of request: FetchRequest, in store: Store, wakeup: Wakeup = Wakeup()) throws {
    rows = MeasuredRows(measure, of: request)
    results = try LiveResults(rows.request, of: store, wakeup: wakeup)
    while isStale { _ = try update() }
  }

  /// Moves to the present.
  ///
  /// - Returns: Whether there was a change.
  /// - Throws: `StoreError` with the code `badRequest` while the model lacks the request, or has no such measure of the
  ///   values. The value stays what it was, and each call throws until a later model has both.
  func update() throws -> Bool {
    let change = try results.update()
    guard isStale || change != nil else { return false }
    let known = isStale ? nil : change
    isStale = true
    do {
      try results.withRows { shown in
        let measured = try known.map { try rows.move(by: $0, to: shown) } ?? rows.read(shown)
        value = LiveValue(position: shown.position, value: measured)
      }
      isStale = false
    } catch let error as StoreError where error.code == .expired {
      // Just after a commit of a model, the rows of the change before it cannot be read; another change follows.
      return change != nil
    }
    return true
  }
}
