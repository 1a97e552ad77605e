import DaybookModel

/// Where somebody is who goes through the changes of a request: what they were given, and what was made for them beyond.
struct ChangeCursor {
  /// Up to where all changes were given. It may be later than the end of the last one: commits that changed nothing
  /// count.
  private(set) var position: Position
  private let isStepwise: Bool
  /// Where each commit is a change of its own, those that were made and not given yet.
  private var pending: ArraySlice<ResultsChange> = []
  /// What the commits behind are gone through with, one by one.
  private var walk: RequestWalk?
  /// Up to where changes were made.
  private var through: Position

  /// - Parameter isStepwise: Whether each commit that changes the result is a change of its own.
  init(at position: Position, stepwise isStepwise: Bool) {
    (self.position, through) = (position, position)
    self.isStepwise = isStepwise
  }

  /// The next change that is not empty; nil at the head.
  ///
  /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names.
  mutating func next(in live: LiveRequest) throws -> ResultsChange? {
    while pending.isEmpty {
      let before = through
      let (changes, through) =
        isStepwise ? try live.steps(since: before, &walk) : try live.changes(since: before)
      pending = changes[...]
      self.through = through
      guard pending.isEmpty else { break }
      position = through
      // Where each commit is looked at, there may be more behind those that changed nothing.
      if !isStepwise || through == before { return nil }
    }
    guard let change = pending.popFirst() else { return nil }
    position = change.to
    return change
  }

  /// Goes on from somewhere else, as after another request was taken.
  mutating func move(to position: Position) {
    (self.position, through, pending, walk) = (position, position, [], nil)
  }
}
