import DaybookEngine
import DaybookModel
import DaybookRuntime

/// What undo, redo and revert share: the plan from three states, and its conflicts.
extension WriteSession {
  /// Plans to undo commits, or to redo them.
  ///
  /// - Complexity: O(*k* log *n*) for *k* events from the first commit to the head.
  func undoPlan(_ first: Position, through last: Position, isRedo: Bool = false) throws -> UndoPlan {
    let after = try State(reader: reader, dependents: dependents, position: head)
      .rewound(to: last, in: journalReader, parts: [])
    let before = try after.rewound(to: Position(first.number - 1), in: journalReader, parts: [])
    let (left, goal) = isRedo ? (before, after) : (after, before)
    return try UndoPlan(
      first, through: last, in: journalReader, left: left.reader, goal: goal.reader, now: reader)
  }

  /// - Throws: `StoreError` with the code `conflict` and a list, if a plan has conflicts.
  func check(_ plan: UndoPlan, for act: UndoAct) throws {
    if plan.conflicts.isEmpty { return }
    let commits = try commits(behind: plan.conflicts, after: act.last)
    throw act.conflict(
      zip(plan.conflicts, commits).map { conflict, commit in
        commit.map { "  commit \($0): \(conflict.text)" } ?? "  \(conflict.text)"
      })
  }

  /// Returns for each conflict the last commit that changed its fact, or that touched its object.
  private func commits(behind conflicts: [UndoPlan.Conflict], after start: Position) throws -> [Position?] {
    var exact: [Fact: Position] = [:]
    var touched: [ObjectID: Position] = [:]
    try forEachEvent(from: start.next, through: head) { position, event in
      for fact in try EventSubjects(of: event).facts(in: model) {
        exact[fact] = position
        for id in fact.objects { touched[id] = position }
      }
      for isFormer in [false, true] {
        guard let link = LinkIdentity(event, isFormer: isFormer), let fact = link.partnerFact(in: model) else {
          continue
        }
        exact[fact] = position
      }
    }
    return conflicts.map { conflict in conflict.facts.compactMap { exact[$0] }.max() ?? touched[conflict.object] }
  }
}

/// What is done to some commits, in the words of an error.
struct UndoAct {
  /// The commits.
  let first: Position
  let last: Position
  /// What cannot be done, and what to do with the commits in the way.
  let participle: String
  let remedy: String

  static func undo(_ position: Position) -> UndoAct {
    UndoAct(first: position, last: position, participle: "undone", remedy: "Undo")
  }

  static func redo(_ position: Position) -> UndoAct {
    UndoAct(first: position, last: position, participle: "redone", remedy: "Undo")
  }

  static func revert(_ first: Position, through last: Position) -> UndoAct {
    UndoAct(first: first, last: last, participle: "reverted", remedy: "Revert")
  }

  /// The most conflicts that an error lists.
  static let maximumListed = 20

  /// Returns the error for some conflicts, a line each.
  func conflict(_ lines: [String]) -> StoreError {
    let what = first == last ? "Commit \(first)" : "Commits \(first) to \(last)"
    let shown = lines.prefix(UndoAct.maximumListed)
    let more = lines.count > shown.count ? "\n  and \(lines.count - shown.count) more" : ""
    return StoreError(
      .conflict,
      "\(what) cannot be \(participle): later commits changed the same.\n\(shown.joined(separator: "\n"))\(more)",
      advice: "\(remedy) these first, or force it, which overwrites what they wrote.")
  }
}
