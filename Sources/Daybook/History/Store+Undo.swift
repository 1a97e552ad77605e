import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Undoes the last commit of an author, in a new commit.
  ///
  ///     try store.undo(author: "editor")            // the last commit of the editor
  ///     try store.undo(author: "editor", steps: 3)  // and the three before it, together or not at all
  ///     try store.redo(author: "editor")            // the third of these is there again
  ///
  /// It takes the last commit of the author that is not of a model, undoes and redoes nothing itself, changes something,
  /// and is not undone. That is determined from the journal alone, so undoing works after a restart and from any
  /// process. A commit is undone if the last commit that names it (``Commit/undoes``, ``Commit/redoes``) is an undo or a
  /// revert.
  ///
  /// The undo restores each value, link and place that the commit changed. It is refused if one of them is not as the
  /// commit left it; if an object that it would delete has values or links that the commit did not give it; if an object
  /// that it would change is gone; and if a unique value was taken since. Changes that were changed back are no conflict.
  /// An undo that has nothing to change is a commit without events, so that the next undo takes the commit before.
  ///
  /// - Parameters:
  ///   - author: The author of the commit to undo; `nil` for any author's, and for commits without author.
  ///   - steps: The number of commits to undo, from 1; each gets a commit, and all are written or none.
  ///   - writer: The author of the undo; `nil` for `author`.
  ///   - isForced: Whether conflicts are overwritten. Then changes that would break a rule of the model, or concern
  ///     objects that are gone, are left out and reported.
  ///   - message: The reason for the undo; the default names the commit.
  ///   - id: The identity of the new commit, of the last one if there are several. If the journal has it, nothing is
  ///     undone, and the commits that it stands for are returned, without what they left out.
  /// - Returns: The new commits, in order.
  /// - Throws: `StoreError`: `notFound` if there are not so many commits to undo, `conflict` with the commits and values
  ///   in the way, `constraint` if the result would break a rule of the model.
  /// - Complexity: O(*k* log *n*) for *k* events from the commit to the head, for each step. The journal is read back
  ///   from the head to the last commit that is undone.
  @discardableResult
  public func undo(
    author: String? = nil, steps: Int = 1, as writer: String? = nil, force isForced: Bool = false,
    message: String? = nil, commitID id: ObjectID? = nil
  ) throws -> [UndoOutcome] {
    let info = CommitInfo(author: writer ?? author, message: message, commitID: id)
    return try run(.undo, steps, of: author, info, isForced) {
      try $0.undoable(atMost: steps)
    }
  }

  /// Redoes the commit of an author that was undone last, in a new commit.
  ///
  /// It takes the most recently undone commit of the author whose undo is later than the author's last ordinary commit:
  /// new work of the author ends what can be redone, work of others does not. Values, links and places are restored, and
  /// conflicts found, as by ``undo(author:steps:as:force:message:commitID:)``.
  ///
  /// - Parameters:
  ///   - author: The author of the undone commit; `nil` for any author's, and for commits without author.
  ///   - steps: The number of commits to redo, from 1; each gets a commit, and all are written or none.
  ///   - writer: The author of the redo; `nil` for `author`.
  ///   - isForced: Whether conflicts are overwritten, as for an undo.
  ///   - message: The reason for the redo; the default names the commit.
  ///   - id: The identity of the new commit, as for an undo.
  /// - Returns: The new commits, in order.
  /// - Throws: `StoreError`: `notFound` if there are not so many commits to redo, `conflict` with the commits and values
  ///   in the way, `constraint` if the result would break a rule of the model.
  /// - Complexity: As for an undo; the journal is read back from the head to the author's last ordinary commit.
  @discardableResult
  public func redo(
    author: String? = nil, steps: Int = 1, as writer: String? = nil, force isForced: Bool = false,
    message: String? = nil, commitID id: ObjectID? = nil
  ) throws -> [UndoOutcome] {
    let info = CommitInfo(author: writer ?? author, message: message, commitID: id)
    return try run(.redo, steps, of: author, info, isForced) {
      try $0.redoable(atMost: steps)
    }
  }

  private func run(
    _ direction: UndoSession.Direction, _ steps: Int, of author: String?, _ info: CommitInfo, _ isForced: Bool,
    _ find: (inout UndoSearch) throws -> [Position]
  ) throws -> [UndoOutcome] {
    guard steps > 0 else {
      throw StoreError(.badRequest, "\(steps) steps cannot be undone or redone.", advice: "Give a number from 1.")
    }
    return try writer.write { session in
      if let id = info.commitID, let known = try session.journalReader.position(ofCommitID: id) {
        return try session.recall(direction, steps, endingAt: known)
      }
      var search = UndoSearch(journal: session.journalReader, head: session.head, author: author)
      let targets = try find(&search)
      guard targets.count == steps else { throw StoreError(lacking: steps, targets.count, direction, of: author) }
      var undo = UndoSession(session: session, direction: direction, info: info.completed(), isForced: isForced)
      undo.info.commitID = nil
      return try targets.enumerated().map { number, target in
        // The last one is written only if all are, so its identity stands for them.
        if number == targets.count - 1 { undo.info.commitID = info.commitID }
        return try undo.run(target)
      }
    }
  }
}

private extension WriteSession {
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
      outcomes.append(UndoOutcome(position: position, target: Position(target), omissions: []))
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
