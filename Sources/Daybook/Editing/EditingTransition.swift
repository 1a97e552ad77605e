import DaybookModel

/// A change of what a context shows: how to go back over it, and which objects it may have changed.
struct EditingTransition {
  /// Laid over the state after the change, it shows the state before.
  let inverse: Layer
  var touches: [EditingTouch]
  /// Whether it does so; if not, who shows the state before gets a reset.
  var isComplete = true
}

/// A change of one object, by a pending edit or by a commit that the context took in.
struct EditingTouch: Hashable {
  let touch: Touch
  /// The commit; nil for a pending edit.
  let cause: Position?
}

extension Collection<EditingTransition> {
  /// All touches, each once, those of commits by rising position.
  var touches: [EditingTouch] {
    Set(flatMap(\.touches)).sorted { ($0.cause ?? .empty) < ($1.cause ?? .empty) }
  }
}

extension Layer {
  /// What takes a layer back that lies, or is about to lie, on what a reader reads.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows of the layer.
  func inverted(over reader: Reader) throws -> Layer {
    let inverse = Layer()
    for table in TableName.allCases where !self[table].isEmpty {
      var cursor = self[table].makeCursor()
      while cursor.moveToNext() {
        if let value = try reader.value(for: cursor.key, in: table) {
          inverse[table].put(cursor.key, value)
        } else {
          inverse[table].delete(cursor.key)
        }
      }
    }
    return inverse
  }
}

extension EditingContext {
  /// Takes in a layer of changes, and tells the results that are open.
  ///
  /// - Parameter tip: Reads the state before.
  func take(_ layer: Layer, touching touches: [EditingTouch], over tip: Reader) throws {
    // Nobody who follows will ask for what was before it came.
    if hasFollowers { note(EditingTransition(inverse: try layer.inverted(over: tip), touches: touches)) }
    pending.absorb(layer)
  }

  /// Whether results of this context, or of one on top of it, are open.
  private var hasFollowers: Bool {
    followers.removeAll { $0.results == nil }
    return !followers.isEmpty || openChildren.contains { $0.hasFollowers }
  }

  /// Notes a change for the results that are open, and wakes who waits for them.
  ///
  /// Contexts on top of this one have no edits when it changes, so it is a change of what they show too.
  func note(_ transition: EditingTransition) {
    version += 1
    if !transition.isComplete { transitions.removeAll() } else { transitions.append(transition) }
    forgetTransitions()
    for follower in followers { follower.results?.wakeup.raise() }
    for child in openChildren { child.note(transition) }
  }

  /// Forgets what all have taken in, and the oldest changes where results that nobody updates would make it grow.
  func forgetTransitions() {
    let oldest = followers.compactMap { $0.results?.version }.min() ?? version
    transitions.removeFirst(min(transitions.count, max(0, oldest - (version - transitions.count))))
    var size = transitions.reduce(0) { $0 + $1.inverse.sizeInBytes }
    while size > store.options.viewOfPastLimitInBytes, let first = transitions.first {
      size -= first.inverse.sizeInBytes
      transitions.removeFirst()
    }
  }

  /// The changes since a version; nil if they are not known any more.
  func transitions(since start: Int) -> ArraySlice<EditingTransition>? {
    let first = version - transitions.count
    return start < first ? nil : transitions[(start - first)...]
  }
}

/// Results that are open, without keeping them so.
struct EditingFollower {
  weak var results: EditingResults?
}
