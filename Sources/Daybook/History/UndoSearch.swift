import DaybookEngine
import DaybookModel

/// Finds the commits to undo and to redo, from the head of a journal backward.
///
/// An *ordinary* commit is one that an author may undo: it is not of a model, undoes and redoes nothing, and has events
/// that change something. The latest commit that names another one in its header decides whether that one is undone.
struct UndoSearch {
  let journal: LMDBJournal
  let head: Position
  /// The author whose commits are found; `nil` for any author, and commits without one.
  let author: String?
  /// For each commit that a visited commit names, the latest one that does.
  private var decisions: [Position: Decision] = [:]

  private struct Decision {
    let position: Position
    let isUndo: Bool
  }

  init(journal: LMDBJournal, head: Position, author: String?) {
    (self.journal, self.head, self.author) = (journal, head, author)
  }

  /// Returns the commits to undo, the last one first; fewer than the limit if there are no more.
  ///
  /// - Complexity: O(*k* log *n*) for *k* commits from the last result to the head.
  mutating func undoable(atMost limit: Int) throws -> [Position] {
    var found: [Position] = []
    var position = head
    while position > .empty, found.count < limit {
      let header = try visit(position)
      if try isOrdinary(header), decisions[position]?.isUndo != true { found.append(position) }
      position = Position(position.number - 1)
    }
    return found
  }

  /// Returns the commits to redo, the most recently undone one first; fewer than the limit if there are no more.
  ///
  /// Of the commits that one revert undid, the first is redone first, because it was undone last.
  ///
  /// - Complexity: O(*k* log *n*) for *k* commits from the author's last ordinary one to the head.
  mutating func redoable(atMost limit: Int) throws -> [Position] {
    // New work of the author ends what can be redone; work of others does not.
    var position = head
    while position > .empty, try !isOrdinary(visit(position)) { position = Position(position.number - 1) }
    let undone = decisions.filter(\.value.isUndo).sorted { a, b in
      (b.value.position, a.key) < (a.value.position, b.key)
    }
    var found: [Position] = []
    for (position, _) in undone where found.count < limit {
      if try isByAuthor(journal.header(at: position).header) { found.append(position) }
    }
    return found
  }

  /// Returns a header, and notes the commits that it names; positions are visited from the head backward.
  private mutating func visit(_ position: Position) throws -> CommitHeader {
    let header = try journal.header(at: position).header
    let isUndo = !header.reasons.undoes.isEmpty
    for named in (isUndo ? header.reasons.undoes : header.reasons.redoes).positions where decisions[named] == nil {
      decisions[named] = Decision(position: position, isUndo: isUndo)
    }
    return header
  }

  private func isOrdinary(_ header: CommitHeader) throws -> Bool {
    guard !header.isModel, !header.reasons.namesCommits, isByAuthor(header) else { return false }
    return try journal.withCommit(at: header.position) { commit in
      var events = commit.events
      while !events.isAtEnd {
        if try events.next().kind.isChange { return true }
      }
      return false
    }
  }

  private func isByAuthor(_ header: CommitHeader) -> Bool {
    guard let author else { return true }
    return header.author.map { equalBytes($0, author) } ?? false
  }
}

private extension EventKind {
  /// Whether events of the kind change objects, so that undoing them does something.
  var isChange: Bool {
    switch self {
    case .inserted, .renamed, .set, .related, .unrelated, .deleted, .unknown: true
    case .recorded: false
    }
  }
}
