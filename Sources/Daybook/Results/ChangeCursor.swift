import DaybookModel
import DaybookRuntime

/// A consumer's place in a request's changes: the last delivered and those computed ahead.
struct ChangeCursor {
  /// The position up to which all changes were delivered.
  ///
  /// It may be later than the end of the last delivered change, because commits that changed nothing count.
  private(set) var position: Position
  private let isStepwise: Bool
  /// The changes that were computed and not delivered yet.
  private var pending: ArraySlice<ResultsChange> = []
  /// Computes the changes of commits before the head one by one, if the cursor is stepwise.
  private var walk: RequestWalk?
  /// The position up to which changes were computed.
  private var through: Position

  /// - Parameter isStepwise: Whether each commit that changes the result is a change of its own.
  init(at position: Position, stepwise isStepwise: Bool) {
    (self.position, through) = (position, position)
    self.isStepwise = isStepwise
  }

  /// Returns the next change that is not empty, or `nil` at the head.
  ///
  /// - Parameter given: The position from which the change will be reported. The commits between it and ``position``
  ///   changed nothing, and may still be among the causes.
  /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names.
  mutating func next(in live: LiveRequest, reportedFrom given: Position) throws -> ResultsChange? {
    while pending.isEmpty {
      let before = through
      let (changes, through) =
        isStepwise
        ? try live.steps(since: before, reportedFrom: given, &walk)
        : try live.changes(since: before, reportedFrom: given)
      pending = changes[...]
      self.through = through
      guard pending.isEmpty else { break }
      position = through
      // In stepwise mode, commits after those that changed nothing may still change the result.
      if !isStepwise || through == before { return nil }
    }
    guard let change = pending.popFirst() else { return nil }
    position = change.to
    return change
  }

  /// Resumes from another position, for example after the request was replaced.
  mutating func move(to position: Position) {
    (self.position, through, pending, walk) = (position, position, [], nil)
  }
}
