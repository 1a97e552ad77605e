import DaybookMacros
import Synchronization

/// The controller of a list view: it gets the delegate calls of live results, and reports what the view performs.
final class ListController: Sendable {
  private let results: EntityLiveResults<Event>
  private let isShown = Mutex(false)

  init(of request: EntityRequest<Event>, in store: Store) throws {
    results = try store.liveResults(of: request)
  }

  /// Returns what happened since the last call, or `nil` if nothing did; all rows at the first call.
  func next() throws -> ListReport? {
    let isFirst = isShown.withLock { isShown in
      defer { isShown = true }
      return !isShown
    }
    if isFirst { return try ListReport(results, calls: [], plan: nil) }
    guard let change = try results.results.update() else { return nil }
    let delegate = CallRecorder()
    results.results.tell(delegate, change)
    return try ListReport(results, calls: delegate.calls, plan: change.isReset ? nil : change.difference.viewPlan)
  }
}

/// Takes note of the delegate calls for one difference.
private final class CallRecorder: LiveResultsDelegate {
  private(set) var calls: [String] = []

  func resultsWillChange(_ results: LiveResults) { calls.append("begin updates") }

  func results(_ results: LiveResults, didChange section: SectionChange) {
    switch section {
    case .delete(let index, let name): calls.append("delete section \(index) [\(name)]")
    case .insert(let index, let name): calls.append("insert section \(index) [\(name)]")
    }
  }

  func results(_ results: LiveResults, didChange row: RowChange<ObjectID>, causes: [Position]) {
    switch row {
    case .delete(_, let from): calls.append("delete row \(from)")
    case .insert(_, let to): calls.append("insert row \(to)")
    case .move(_, let from, let to): calls.append("move row \(from) to \(to)")
    case .update(_, let from, let to): calls.append("update row \(from), now \(to)")
    }
  }

  func resultsDidChange(_ results: LiveResults) { calls.append("end updates") }

  func resultsDidReset(_ results: LiveResults) { calls.append("reload") }
}
