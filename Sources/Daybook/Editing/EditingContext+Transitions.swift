import DaybookEngine
import DaybookModel
import DaybookRuntime

extension EditingContext {
  /// Adds a layer of changes and notifies the open results.
  ///
  /// - Parameter tip: Reads the state before the changes.
  func take(_ layer: Layer, making changes: [CausedChange], over tip: Reader) throws {
    // Only open results need the way back.
    if hasFollowers { note(EditingTransition(inverse: try tip.inverse(of: layer), changes: changes)) }
    pending.absorb(layer)
  }

  /// Whether results of this context, or of one on top of it, are open.
  private var hasFollowers: Bool {
    followers.removeAll { $0.results == nil }
    return !followers.isEmpty || openChildren.contains { $0.hasFollowers }
  }

  /// Records a change for the open results, and wakes the tasks that wait for them.
  ///
  /// Contexts on top of this one have no edits when it changes, so their shown state changes too.
  func note(_ transition: EditingTransition) {
    version += 1
    if !transition.isComplete { transitions.removeAll() } else { transitions.append(transition) }
    forgetTransitions()
    for follower in followers { follower.results?.wakeup.signal() }
    for child in openChildren { child.note(transition) }
  }

  /// Drops changes that all results have applied, and the oldest ones above the size limit.
  func forgetTransitions() {
    let oldest = followers.compactMap { $0.results?.version }.min() ?? version
    transitions.removeFirst(min(transitions.count, max(0, oldest - (version - transitions.count))))
    var size = transitions.reduce(0) { $0 + $1.inverse.sizeInBytes }
    while size > store.options.viewOfPastLimitInBytes, let first = transitions.first {
      size -= first.inverse.sizeInBytes
      transitions.removeFirst()
    }
  }

  /// The changes since a version, or `nil` if they are not kept.
  func transitions(since start: Int) -> ArraySlice<EditingTransition>? {
    let first = version - transitions.count
    return start < first ? nil : transitions[(start - first)...]
  }
}

/// A change of a context's shown state: its inverse and the changes that it makes.
struct EditingTransition {
  /// The changes that lead from the state after the transition back to the state before.
  let inverse: Layer
  var changes: [CausedChange]
  /// Whether `inverse` is complete; if not, results that show the state before get a reset.
  var isComplete = true
}

/// A change of one object, by a pending edit or by a commit that the context was moved over.
struct CausedChange: Hashable {
  let change: ObjectChange
  /// The position of the commit; `nil` for a pending edit.
  let cause: Position?
}

extension Collection<EditingTransition> {
  /// All changes without duplicates, sorted by the position of their commits.
  var changes: [CausedChange] {
    Set(flatMap(\.changes)).sorted { ($0.cause ?? .empty) < ($1.cause ?? .empty) }
  }
}

/// A weak reference to open results.
struct EditingFollower {
  weak var results: ContextResults?
}
