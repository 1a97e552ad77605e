import DaybookModel

/// Brings the rows of a ``Plan`` into the request's order while they come, keeping no more of them than it must.
///
///     var sorter = RunSorter<Void>(request, plan)
///     for row in rows {
///       if let run = try sorter.add((), id: row.id, terms: row.key, values: { try request.sortValues(of: row, in: &source) }) {
///         emit(run)
///       }
///     }
///     emit(sorter.finish())
///
/// Rows that may still change places form a run: those that tie in the terms by which they come sorted, those whose keys
/// are equal, and those of the empty section where the plan says so. A run is sorted when the first row behind it comes. If
/// the plan's rows are not ordered at all, they are one run.
package struct RunSorter<Payload> {
  package struct Row {
    package let id: ObjectID
    package let payload: Payload
    /// Empty where nobody needed them.
    package let values: [Value]
    fileprivate let terms: [UInt8]
  }

  private let request: ResolvedRequest
  private let termCount: Int
  private let isOrdered: Bool
  private let sortsEmptySection: Bool
  private var run: [Row] = []

  package init(_ request: ResolvedRequest, _ plan: Plan) {
    self.request = request
    termCount = plan.orderedTermCount
    isOrdered = plan.isOrdered
    sortsEmptySection = plan.sortsEmptySection
  }

  /// Whether the next row, with terms of this size in its key, comes before all that follow and behind all that came:
  /// then it need not be added.
  package func isInPlace(termsSize: Int) -> Bool {
    isOrdered && !sortsEmptySection && run.isEmpty && termsSize < SortKey.maximumTermsSize
  }

  /// Takes the next row.
  ///
  /// - Parameters:
  ///   - payload: What to keep with the row.
  ///   - id: The row's id.
  ///   - terms: The terms of the row's key as the view has them, cut and without the id; empty if it is from no view.
  ///   - values: The row's sort values; called only if they are needed.
  /// - Returns: The rows of a finished run, sorted; they come before this row and all later ones. Nil if the run goes on.
  package mutating func add(
    _ payload: Payload, id: ObjectID, terms: [UInt8], values: () throws -> [Value]
  ) rethrows -> [Row]? {
    let needsValues = !isOrdered || sortsEmptySection || terms.count >= SortKey.maximumTermsSize
    let row = Row(id: id, payload: payload, values: needsValues ? try values() : [], terms: terms)
    guard let last = run.last, !isOneRun(last, row) else {
      run.append(row)
      return nil
    }
    let finished = sorted()
    run = [row]
    return finished
  }

  /// The rows of the last run, sorted.
  package mutating func finish() -> [Row] {
    let finished = sorted()
    run = []
    return finished
  }

  private func isOneRun(_ a: Row, _ b: Row) -> Bool {
    if sortsEmptySection, a.values[0].isNull, b.values[0].isNull { return true }
    if isOrdered {
      // Cut keys say nothing of what was cut, and keys that are whole come by id.
      return a.terms.count >= SortKey.maximumTermsSize && a.terms == b.terms
    }
    if !a.terms.isEmpty && a.terms == b.terms { return true }
    return request.compare(a.values, b.values, termCount: termCount) == 0
  }

  private func sorted() -> [Row] {
    guard run.count > 1 else { return run }
    return run.sorted { request.areInIncreasingOrder($0.values, $0.id, $1.values, $1.id) }
  }
}
