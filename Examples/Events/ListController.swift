import DaybookMacros
import Synchronization

/// The controller of a list view: it follows live results, and reports what the view performs.
final class ListController: Sendable {
  private let results: LiveResults<Record<Event>>
  private let isShown = Mutex(false)

  init(of request: Request<Record<Event>>, in store: Store) throws {
    results = try store.liveResults(of: request)
  }

  /// Returns what happened since the last call, or `nil` if nothing did; all rows at the first call.
  func next() throws -> ListReport? {
    let isFirst = isShown.withLock { isShown in
      defer { isShown = true }
      return !isShown
    }
    if isFirst { return try ListReport(results, calls: [], plan: nil) }
    guard let change = try results.update() else { return nil }
    if change.isReset { return try ListReport(results, calls: ["reload"], plan: nil) }
    return try ListReport(results, calls: calls(for: change.difference), plan: change.difference.viewPlan)
  }

  /// Returns the calls that a delegate would get.
  private func calls<ID>(for difference: Difference<ID>) -> [String] {
    ["begin updates"] + difference.sections.map(call) + difference.rows.map(call) + ["end updates"]
  }

  private func call(for section: SectionChange) -> String {
    switch section {
    case .delete(let index, let name): "delete section \(index) [\(name)]"
    case .insert(let index, let name): "insert section \(index) [\(name)]"
    }
  }

  private func call<ID>(for row: RowChange<ID>) -> String {
    switch row {
    case .delete(_, let from): "delete row \(from)"
    case .insert(_, let to): "insert row \(to)"
    case .move(_, let from, let to): "move row \(from) to \(to)"
    case .update(_, let from, let to): "update row \(from), now \(to)"
    }
  }
}
