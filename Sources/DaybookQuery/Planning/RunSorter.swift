import DaybookModel
import WorkLimits

/// Sorts the rows of a ``Plan`` into the request's order, buffering as few as it can.
///
///     var sorter = RunSorter<Void>(request, plan)
///     for row in rows {
///       if let run = try sorter.add((), id: row.id, terms: row.key, values: { try request.sortValues(of: row, in: &source) }) {
///         emit(run)
///       }
///     }
///     emit(try sorter.finish())
///
/// Rows whose order is still open form a run: rows that tie in the terms by which they come sorted, rows with equal
/// keys, and the rows of the empty section if the plan requires it. A run is sorted when the first row after it
/// arrives. If the plan's rows are not ordered at all, they are one run.
package struct RunSorter<Payload> {
  package struct Row {
    package let id: ObjectID
    package let payload: Payload
    /// The sort values; empty if they were not needed.
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

  /// Returns whether the next row, with terms of this size in its key, is already in its place.
  ///
  /// Such a row comes after all earlier and before all later rows, and need not be added.
  package func isInPlace(termsSize: Int) -> Bool {
    isOrdered && !sortsEmptySection && run.isEmpty && termsSize < SortKey.maximumTermsSize
  }

  /// Adds the next row.
  ///
  /// - Parameters:
  ///   - payload: Data to keep with the row.
  ///   - id: The row's id.
  ///   - terms: The terms of the row's key in the index, cut and without the id; empty if the row is from no index.
  ///   - values: Returns the row's sort values; called only if they are needed.
  /// - Returns: The rows of a finished run, sorted, which come before this row and all later ones; `nil` if the run
  ///   continues.
  /// - Throws: What `values` throws; `WorkLimitExceeded`.
  package mutating func add(
    _ payload: Payload, id: ObjectID, terms: [UInt8], values: () throws -> [Value]
  ) throws -> [Row]? {
    let needsValues = !isOrdered || sortsEmptySection || terms.count >= SortKey.maximumTermsSize
    let row = Row(id: id, payload: payload, values: needsValues ? try values() : [], terms: terms)
    guard let last = run.last, !isOneRun(last, row) else {
      run.append(row)
      return nil
    }
    let finished = try sorted()
    run = [row]
    return finished
  }

  /// Returns the rows of the last run, sorted.
  ///
  /// - Throws: `WorkLimitExceeded`.
  package mutating func finish() throws -> [Row] {
    let finished = try sorted()
    run = []
    return finished
  }

  private func isOneRun(_ a: Row, _ b: Row) -> Bool {
    if sortsEmptySection, a.values[0].isNull, b.values[0].isNull { return true }
    if isOrdered {
      // Cut keys do not show the part that was cut, and whole keys come by id.
      return a.terms.count >= SortKey.maximumTermsSize && a.terms == b.terms
    }
    if !a.terms.isEmpty && a.terms == b.terms { return true }
    return request.compare(a.values, b.values, termCount: termCount) == 0
  }

  private func sorted() throws -> [Row] {
    guard run.count > 1 else { return run }
    var work = WorkCounter()
    return try run.sorted {
      try work.step()
      return request.areInIncreasingOrder($0.values, $0.id, $1.values, $1.id)
    }
  }
}
