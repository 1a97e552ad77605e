import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Undoes commits together, in a new commit.
  ///
  ///     try store.revert(7)                  // what commit 7 did is undone; the journal has both
  ///     try store.revert(5, through: 7)
  ///
  /// Nothing is removed from the journal: reverting a revert restores the changes.
  ///
  /// It restores each value, link and place that the commits changed, from the state that they left to the state before
  /// them, under the rules of ``undo(author:steps:as:force:message:commitID:)``: if one of these is now not as the
  /// commits left it, it throws with a list of the later commits that changed it. Later commits that cancel out do not
  /// prevent a revert, and what is as before the commits already stays: commits can be undone one after the other, the
  /// last one first.
  ///
  /// The new commit names the reverted ones (``Commit/undoes``), which therefore count as undone for
  /// ``undo(author:steps:as:force:message:commitID:)``.
  ///
  /// If `info` has a commit id that the journal contains, the known position is returned.
  ///
  /// - Parameters:
  ///   - first: The first commit to undo; not the commit of a model.
  ///   - last: The last commit to undo; `nil` for the first alone.
  ///   - isForced: Whether later commits are ignored: their changes are overwritten, and changes of objects that do not
  ///     exist are skipped.
  ///   - info: The information of the new commit; the default message names the commits that it reverts.
  /// - Returns: The position of the new commit, or the head if nothing was left to undo.
  /// - Throws: `StoreError`: `conflict` with the list, `badRequest` for the commit of a model, `notFound` for positions
  ///   that are no commits, `constraint` if the result would break one.
  /// - Complexity: O(*k* log *n*) for *k* events from the first commit to the head.
  @discardableResult
  public func revert(
    _ first: Position, through last: Position? = nil, force isForced: Bool = false, info: CommitInfo = CommitInfo()
  ) throws -> Position {
    let last = last ?? first
    guard first <= last else {
      throw StoreError(
        .badRequest, "Commit \(first) is not before commit \(last).", advice: "Give the earlier one first.")
    }
    guard last.number - first.number < PositionList.maximumCount else {
      throw StoreError(
        .tooLarge, "Commits \(first) to \(last) are too many; \(PositionList.maximumCount) can be reverted together.",
        advice: "Revert them in several steps, the last ones first.")
    }
    var info = info.completed()
    info.undoes = PositionList(first, through: last)
    info.message = info.message ?? (first == last ? "Revert \(first)" : "Revert \(first) to \(last)")
    return try writer.write { session in
      try session.commitOnce(info) { tx in
        try session.checkRevertible(first, last)
        let plan = try session.undoPlan(first, through: last)
        if !isForced { try session.check(plan, for: .revert(first, through: last)) }
        _ = try tx.builder.carryOut(plan, without: [], isForced: false)
      }.position
    }
  }
}

private extension WriteSession {
  func checkRevertible(_ first: Position, _ last: Position) throws {
    guard first > .empty, last <= head else {
      throw StoreError(
        .notFound, "There is no commit \(first > .empty ? last : first); the head is \(head).",
        advice: "Give positions from 1 to the head.")
    }
    if let model = try journalReader.modelPositions().first(where: { (first...last).contains($0) }) {
      throw StoreError(
        .badRequest, "Commit \(model) changed the model, which cannot be reverted.",
        advice: "Apply the former model instead.")
    }
  }
}
