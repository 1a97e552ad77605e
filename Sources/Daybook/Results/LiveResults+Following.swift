import DaybookDiff
import DaybookModel

extension LiveResults {
  /// The differences of this result as they come; each step of the loop moves the result on.
  ///
  /// Nothing is queued: a slow loop gets one difference for all that was missed, unless each commit was asked for. The
  /// loop ends when its task is cancelled, and throws when the store is closed. Of several loops at once each difference
  /// goes to one.
  public var changes: Changes { Changes(results: self) }

  /// See ``LiveResults/changes``.
  public struct Changes: AsyncSequence, AsyncIteratorProtocol, Sendable {
    public typealias Element = ResultsChange
    let results: LiveResults

    public func makeAsyncIterator() -> Changes { self }

    /// The next difference; nil when the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names.
    public mutating func next() async throws -> ResultsChange? {
      try await results.wakeup.next { try results.update() }
    }
  }

  /// Calls a delegate for each difference, on the actor of the caller, until the task is cancelled or the delegate is
  /// gone.
  ///
  ///     Task { @MainActor in try await recipes.deliver(to: listController) }
  ///
  /// The calls come in the order of the difference; see ``LiveResultsDelegate``. The delegate is held only while it is
  /// called. The closure of a task holds what it captures, though: a delegate that is to go while the task waits is
  /// captured weakly and handed over.
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

  /// Makes a delegate's calls for one difference, as ``deliver(to:isolation:)`` does for each.
  public func tell(_ delegate: some LiveResultsDelegate, _ change: ResultsChange) {
    if change.isReset { return delegate.resultsDidReset(self) }
    delegate.resultsWillChange(self)
    for section in change.difference.sections { delegate.results(self, didChange: section) }
    for row in change.difference.rows { delegate.results(self, didChange: row, causes: change.causes[row.id] ?? []) }
    delegate.resultsDidChange(self)
  }
}

/// What is told of the differences of live results, in calls that a list view's controller can answer one by one.
///
/// For each difference: ``resultsWillChange(_:)``, the sections (deletes by falling index, inserts by rising index), the
/// rows (deletes by falling `from`, inserts by rising `to`, moves by `from`, updates by `from`), ``resultsDidChange(_:)``.
/// Nothing is sequential: deletes and `from` count in the old result, inserts and `to` in the new one, which is what
/// the results show during all of the calls. List views that refuse moves out of deleted or into inserted sections take
/// the difference's view plan instead.
///
/// All calls have an empty default.
public protocol LiveResultsDelegate: AnyObject {
  /// The calls for one difference begin. The results show the new rows already.
  func resultsWillChange(_ results: LiveResults)
  /// A section came or went.
  func results(_ results: LiveResults, didChange section: SectionChange)
  /// A row came, went, moved or changed.
  ///
  /// - Parameters:
  ///   - results: The results, which show the new rows.
  ///   - row: What happened to it.
  ///   - causes: The commits that changed something the row reaches; none for a row that only crossed the edge of a limit
  ///     or an offset.
  func results(_ results: LiveResults, didChange row: RowChange<ObjectID>, causes: [Position])
  /// The calls for one difference are done.
  func resultsDidChange(_ results: LiveResults)
  /// There is no difference to be had: everything must be read anew.
  func resultsDidReset(_ results: LiveResults)
}

extension LiveResultsDelegate {
  public func resultsWillChange(_ results: LiveResults) {}
  public func results(_ results: LiveResults, didChange section: SectionChange) {}
  public func results(_ results: LiveResults, didChange row: RowChange<ObjectID>, causes: [Position]) {}
  public func resultsDidChange(_ results: LiveResults) {}
  public func resultsDidReset(_ results: LiveResults) {}
}
