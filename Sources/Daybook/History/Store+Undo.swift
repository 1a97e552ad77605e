import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Undoes commits, in new commits.
  ///
  ///     try store.undo(.last(of: "editor"))           // the last commit of the editor
  ///     try store.undo(.last(3, of: "editor"))        // and the three before it, together or not at all
  ///     try store.redo(.last(of: "editor"))           // the third of these is there again
  ///     try store.undo(.commits(5, through: 7))       // what three commits did, in one new commit
  ///
  /// Nothing is removed from the journal: undoing an undo restores the changes.
  ///
  /// **The last commits of an author.** It takes the last commit of the author that is not of a model, undoes and redoes
  /// nothing itself, changes something, and is not undone. That is determined from the journal alone, so undoing works after
  /// a restart and from any process. A commit is undone if the last commit that names it (``CommitSummary/undoes``,
  /// ``CommitSummary/redoes``) undoes it. An undo that has nothing to change is a commit without events, so that the next undo
  /// takes the commit before.
  ///
  /// **Commits that are named** are undone together, from the state that they left to the state before them. Later commits
  /// that cancel out do not prevent it, and what is as before the commits already stays: commits can be undone one after the
  /// other, the last one first. Where nothing is left to undo, there is no new commit.
  ///
  /// The undo restores each value, link and place that the commits changed. It is refused if one of them is not as the
  /// commits left it; if an object that it would delete has values or links that the commits did not give it; if an object
  /// that it would change is gone; and if a unique value was taken since. Changes that were changed back are no conflict.
  ///
  /// - Parameters:
  ///   - selection: The commits to undo.
  ///   - options: The information of the new commits, and whether conflicts are overwritten. If the journal has the commit
  ///     id of the information, nothing is undone, and the commits that it stands for are returned, without what they left
  ///     out.
  /// - Returns: The new commits, in order; for commits that are named, one.
  /// - Throws: `StoreError`: `notFound` if there are not so many commits to undo, or for positions that are no commits;
  ///   `conflict` with the commits and values in the way; `constraint` if the result would break a rule of the model;
  ///   `badRequest` for the commit of a model, a count below 1, and a first commit after the last; `tooLarge` for too many
  ///   commits.
  /// - Complexity: O(*k* log *n*) for *k* events from the commit to the head, for each new commit. For the last ones of an
  ///   author the journal is read back from the head to the last commit that is undone.
  @discardableResult
  public func undo(
    _ selection: UndoSelection = .last(), options: UndoOptions = UndoOptions()
  ) throws -> [UndoOutcome] {
    switch selection.content {
    case .last(let count, let author):
      return try run(.undo, count, of: author, options) { try $0.undoable(atMost: count) }
    case .commits(let first, let last): return [try undo(first, through: last, options)]
    }
  }

  /// Redoes the commits of an author that were undone last, each in a new commit.
  ///
  /// It takes the most recently undone commit of the author whose undo is later than the author's last ordinary commit:
  /// new work of the author ends what can be redone, work of others does not. Values, links and places are restored, and
  /// conflicts found, as by ``undo(_:options:)``.
  ///
  /// - Parameters:
  ///   - selection: The last commits of an author, or of any.
  ///   - options: The information of the new commits, and whether conflicts are overwritten, as for an undo.
  /// - Returns: The new commits, in order.
  /// - Throws: `StoreError`: `notFound` if there are not so many commits to redo, `conflict` with the commits and values
  ///   in the way, `constraint` if the result would break a rule of the model, `badRequest` for commits that are named: the
  ///   commit that undid them can be undone.
  /// - Complexity: As for an undo; the journal is read back from the head to the author's last ordinary commit.
  @discardableResult
  public func redo(
    _ selection: UndoSelection = .last(), options: UndoOptions = UndoOptions()
  ) throws -> [UndoOutcome] {
    guard case .last(let count, let author) = selection.content else {
      throw StoreError(
        .badRequest, "Only the commits that were undone last can be redone.",
        advice: "Undo the commit that undid the others.")
    }
    return try run(.redo, count, of: author, options) { try $0.redoable(atMost: count) }
  }

  private func run(
    _ direction: UndoSession.Direction, _ steps: Int, of author: String?, _ options: UndoOptions,
    _ find: (inout UndoSearch) throws -> [Position]
  ) throws -> [UndoOutcome] {
    guard steps > 0 else {
      throw StoreError(.badRequest, "\(steps) steps cannot be undone or redone.", advice: "Give a number from 1.")
    }
    var info = options.info
    info.author = info.author ?? author
    return try writer.write { session in
      if let id = info.commitID, let known = try session.journalReader.position(ofCommitID: id) {
        return try session.recall(direction, steps, endingAt: known)
      }
      var search = UndoSearch(journal: session.journalReader, head: session.head, author: author)
      let targets = try find(&search)
      guard targets.count == steps else { throw StoreError(lacking: steps, targets.count, direction, of: author) }
      var undo = UndoSession(session: session, direction: direction, info: info.completed(), isForced: options.isForced)
      undo.info.commitID = nil
      return try targets.enumerated().map { number, target in
        // The last one is written only if all are, so its identity stands for them.
        if number == targets.count - 1 { undo.info.commitID = info.commitID }
        return try undo.run(target)
      }
    }
  }

  /// Undoes commits together.
  private func undo(_ first: Position, through last: Position, _ options: UndoOptions) throws -> UndoOutcome {
    guard first <= last else {
      throw StoreError(
        .badRequest, "Commit \(first) is not before commit \(last).", advice: "Give the earlier one first.")
    }
    guard last.number - first.number < PositionList.maximumCount else {
      throw StoreError(
        .tooLarge, "Commits \(first) to \(last) are too many; \(PositionList.maximumCount) can be reverted together.",
        advice: "Revert them in several steps, the last ones first.")
    }
    var info = options.info.completed()
    info.undoes = PositionList(first, through: last)
    info.message = info.message ?? (first == last ? "Revert \(first)" : "Revert \(first) to \(last)")
    return try writer.write { session in
      var omissions: [String] = []
      let outcome = try session.commitOnce(info) { tx in
        try session.checkRevertible(first, last)
        let plan = try session.undoPlan(first, through: last)
        if !options.isForced { try session.check(plan, for: .revert(first, through: last)) }
        // The closure may run again.
        omissions = options.isForced ? plan.conflicts.filter(\.isGone).map(\.text) : []
        _ = try tx.builder.carryOut(plan, without: [], isForced: false)
      }
      return UndoOutcome(position: outcome.position, targets: first...last, omissions: omissions)
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

  /// Returns the outcomes of an undo or a redo that was made before.
  ///
  /// - Throws: `StoreError` with the code `conflict` if the commit is another one.
  func recall(
    _ direction: UndoSession.Direction, _ steps: Int, endingAt last: Position
  ) throws -> [UndoOutcome] {
    var outcomes: [UndoOutcome] = []
    var position = last
    while position > .empty, outcomes.count < steps {
      let header = try journalReader.header(at: position).header
      let named = direction == .undo ? header.reasons.undoes : header.reasons.redoes
      guard let target = named.runs.first?.lowerBound else { break }
      outcomes.append(UndoOutcome(position: position, targets: Position(target)...Position(target), omissions: []))
      position = Position(position.number - 1)
    }
    guard outcomes.count == steps else {
      throw StoreError(
        .conflict,
        "Commit \(last) has the same commit id, and is no \(direction == .undo ? "undo" : "redo") of \(steps).",
        advice: "Give each request an id of its own.")
    }
    return outcomes.reversed()
  }
}

private extension StoreError {
  init(lacking steps: Int, _ count: Int, _ direction: UndoSession.Direction, of author: String?) {
    let verb = direction == .undo ? "undo" : "redo"
    let whose = author.map { " of \($0)" } ?? ""
    guard count > 0 else {
      self.init(.notFound, "There is no commit\(whose) to \(verb).", advice: "The log shows what was \(verb)ne.")
      return
    }
    self.init(
      .notFound, "There are only \(count)\(whose) to \(verb), not \(steps) commits. Nothing was written.",
      advice: "Give fewer steps.")
  }
}
