import DaybookEngine
import DaybookModel

/// What a projection reads, before and after one commit, by the present model: the stored objects, and the rows of the
/// projections that it reads.
struct StoredStates {
  let after: Reader
  let dependents: Dependents
  /// The events of the commit, and after them what the projections that are read made of it; none for a commit of a
  /// model.
  let events: [UInt8]
  /// Returns a reader of the state before the commit.
  let before: () throws -> Reader
}

extension StoredStates {
  /// Makes the states around a commit whose events the state after it contains.
  ///
  /// The state before it is made once, by the first one who needs it.
  init(after: Reader, _ dependents: Dependents, _ header: CommitHeader, events: [UInt8]) {
    var before: Reader?
    self.init(after: after, dependents: dependents, events: events) {
      if let before { return before }
      let layer = Layer()
      let made = after.adding(layer)
      let fold = Fold(reader: made, layer: layer, dependents: dependents)
      try fold.fold(header, events: events.rawSpan, .backward)
      before = made
      return made
    }
  }
}
