import DaybookDiff
import DaybookModel
import DaybookRuntime

extension LiveResults {
  /// The differences of this result as they occur; each step of a loop moves the result on.
  ///
  /// Nothing is queued: a slow loop receives one difference for everything that it missed, unless every commit was
  /// requested. The loop ends when its task is cancelled, and throws when the store is closed. Of several loops at
  /// once, each difference goes to one.
  public var changes: Feed<ResultsChange> { Feed { self } }

  /// Calls a delegate for each difference, on the actor of the caller.
  ///
  /// The calls end when the task is cancelled or the delegate is deallocated.
  ///
  ///     Task { @MainActor in try await recipes.deliver(to: listController) }
  ///
  /// The calls are made in the order of the difference; see ``LiveResultsDelegate``. The delegate is retained only
  /// while it is called. The closure of a task retains what it captures, though: a delegate that may be deallocated
  /// while the task waits must be captured weakly and consumed.
  ///
  ///     Task { @MainActor [weak listController] in
  ///       guard let listController else { return }
  ///       try await recipes.deliver(to: consume listController)
  ///     }
  ///
  /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names.
  public func deliver(
    to delegate: consuming some LiveResultsDelegate, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    weak let target = consume delegate
    while target != nil, let change = try await wakeup.next({ try update() }) {
      if let target { tell(target, change) }
    }
  }

  /// Makes the delegate calls for one difference, as ``deliver(to:isolation:)`` does for each.
  public func tell(_ delegate: some LiveResultsDelegate, _ change: ResultsChange) {
    if change.isReset { return delegate.resultsDidReset(self) }
    delegate.resultsWillChange(self)
    for section in change.difference.sections { delegate.results(self, didChange: section) }
    for row in change.difference.rows { delegate.results(self, didChange: row, causes: change.causes[row.id] ?? []) }
    delegate.resultsDidChange(self)
  }
}

/// The calls that report differences of live results to a list view's controller.
///
/// The calls for each difference are ``resultsWillChange(_:)``, the sections (deletes by descending index, inserts by
/// ascending index), the rows (deletes by descending `from`, inserts by ascending `to`, moves by `from`, updates by
/// `from`), and ``resultsDidChange(_:)``. The changes are not sequential: deletes and `from` refer to the old result,
/// inserts and `to` to the new one, which the results show during all of the calls. List views that refuse moves out of
/// deleted or into inserted sections use the difference's view plan instead.
///
/// All calls have an empty default.
public protocol LiveResultsDelegate: AnyObject {
  /// Reports the beginning of the calls for one difference.
  ///
  /// The results already show the new rows.
  func resultsWillChange(_ results: LiveResults)
  /// Reports a section that was inserted or deleted.
  func results(_ results: LiveResults, didChange section: SectionChange)
  /// Reports a row that was inserted, deleted, moved or changed.
  ///
  /// - Parameters:
  ///   - results: The results, which show the new rows.
  ///   - row: The change of the row.
  ///   - causes: The commits that changed something the row reaches; empty for a row that only crossed the edge of a
  ///     limit or an offset.
  func results(_ results: LiveResults, didChange row: RowChange<ObjectID>, causes: [Position])
  /// Reports the end of the calls for one difference.
  func resultsDidChange(_ results: LiveResults)
  /// Reports that there is no difference: everything must be read again.
  func resultsDidReset(_ results: LiveResults)
}

extension LiveResultsDelegate {
  public func resultsWillChange(_ results: LiveResults) {}
  public func results(_ results: LiveResults, didChange section: SectionChange) {}
  public func results(_ results: LiveResults, didChange row: RowChange<ObjectID>, causes: [Position]) {}
  public func resultsDidChange(_ results: LiveResults) {}
  public func resultsDidReset(_ results: LiveResults) {}
}
