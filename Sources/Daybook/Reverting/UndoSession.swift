import DaybookEngine
import DaybookModel

/// Undoes or redoes commits within a write session, a commit for each.
struct UndoSession {
  enum Direction {
    case undo, redo
  }

  let session: WriteSession
  let direction: Direction
  /// The author, message and context of the new commits.
  var info: CommitInfo
  /// Whether conflicts are overwritten, and what cannot be written is left out.
  let isForced: Bool

  func run(_ position: Position) throws -> UndoOutcome {
    var info = info
    let run = PositionList(position, through: position)
    switch direction {
    case .undo: (info.undoes, info.message) = (run, info.message ?? "Undo \(position)")
    case .redo: (info.redoes, info.message) = (run, info.message ?? "Redo \(position)")
    }
    let plan = try plan(for: position)
    if !isForced { try check(plan.conflicts, of: position) }
    let omitted = isForced ? try omissions(from: plan, info) : [:]
    var leftOut = plan.conflicts.filter(\.isGone).map(\.text) + omitted.sorted { $0.key < $1.key }.map(\.value)
    let (_, made) = try session.commit(info, mayBeEmpty: true) { tx in
      leftOut += try tx.builder.carryOut(plan, without: Set(omitted.keys), isForced: isForced)
      if !isForced { try checkUnique(tx.builder, position) }
    }
    return UndoOutcome(position: made, target: position, omissions: leftOut)
  }

  private func plan(for position: Position) throws -> UndoPlan {
    let journal = session.journalReader
    let after = try State(reader: session.reader, dependents: session.dependents, position: session.head)
      .rewound(to: position, in: journal, parts: [])
    let before = try after.rewound(to: Position(position.number - 1), in: journal, parts: [])
    let (left, goal) = direction == .undo ? (after, before) : (before, after)
    return try journal.withCommit(at: position) { commit in
      try UndoPlan(commit.events, left: left.reader, goal: goal.reader, now: session.reader)
    }
  }

  /// Returns the changes that would break a rule of the model, with the reasons.
  ///
  /// The changes are tried without the ones that were found so far until the rest breaks no rule.
  private func omissions(from plan: UndoPlan, _ info: CommitInfo) throws -> [Int: String] {
    var omitted: [Int: String] = [:]
    while true {
      var faults: [ConstraintFault] = []
      do {
        try session.rehearse(info) { tx in
          _ = try tx.builder.carryOut(plan, without: Set(omitted.keys), isForced: true)
          faults = try tx.builder.constraintFaults(atMost: .max) + tx.builder.ruleFaults(atMost: .max)
        }
      } catch let error as StoreError where error.code == .constraint && !faults.isEmpty {
        // The rehearsal throws the first of the faults, which are all handled here.
      }
      if faults.isEmpty { return omitted }
      for fault in faults {
        let culprits = plan.changes.indices.filter { omitted[$0] == nil && plan.changes[$0].causes(fault) }
        guard !culprits.isEmpty else { throw fault.error }
        for number in culprits { omitted[number] = "\(plan.changes[number].summary): \(fault.error.message)" }
      }
    }
  }
}

/// Conflicts.
extension UndoSession {
  /// The most conflicts that an error lists.
  private static let maximumListed = 20

  private var participle: String { direction == .undo ? "undone" : "redone" }

  private func check(_ conflicts: [UndoPlan.Conflict], of position: Position) throws {
    if conflicts.isEmpty { return }
    let commits = try commits(behind: conflicts, after: position)
    let lines = zip(conflicts, commits).prefix(UndoSession.maximumListed).map { conflict, commit in
      commit.map { "  commit \($0): \(conflict.text)" } ?? "  \(conflict.text)"
    }
    let more = conflicts.count > lines.count ? "\n  and \(conflicts.count - lines.count) more" : ""
    throw error(position, lines.joined(separator: "\n") + more)
  }

  private func error(_ position: Position, _ list: String) -> StoreError {
    StoreError(
      .conflict, "Commit \(position) cannot be \(participle): later commits changed the same.\n\(list)",
      advice: "Undo these first, or force it, which overwrites what they wrote.")
  }

  /// Returns for each conflict the last commit that changed its fact, or that touched its object.
  private func commits(behind conflicts: [UndoPlan.Conflict], after start: Position) throws -> [Position?] {
    var exact: [Fact: Position] = [:]
    var touched: [ObjectID: Position] = [:]
    try session.forEachEvent(from: start.next, through: session.head) { position, event in
      for fact in try EventSubjects(of: event).facts(in: session.model) {
        exact[fact] = position
        for id in fact.objects { touched[id] = position }
      }
      for isFormer in [false, true] {
        guard let link = LinkIdentity(event, isFormer: isFormer), let fact = link.partnerFact(in: session.model)
        else { continue }
        exact[fact] = position
      }
    }
    return conflicts.map { conflict in conflict.facts.compactMap { exact[$0] }.max() ?? touched[conflict.object] }
  }

  /// - Throws: `StoreError` with the code `conflict` if another object has taken a unique value since.
  private func checkUnique(_ builder: CommitBuilder, _ position: Position) throws {
    guard builder.writer.count > 0 else { return }
    let lines = try builder.constraintFaults(atMost: UndoSession.maximumListed).compactMap { fault -> String? in
      guard let other = fault.other else { return nil }
      let taken = try builder.reader.lastPositions(of: other).max()
      return taken.map { "  commit \($0): \(fault.error.message)" } ?? "  \(fault.error.message)"
    }
    if !lines.isEmpty { throw error(position, lines.joined(separator: "\n")) }
  }
}

private extension UndoPlan.Change {
  /// Whether leaving out the change may avoid a fault.
  func causes(_ fault: ConstraintFault) -> Bool {
    if let circle = fault.circle {
      guard case .link(let link) = self else { return false }
      return circle.ids.contains(link.owner) && circle.ids.contains(link.target)
    }
    guard objects.contains(fault.object) else { return objects.contains(where: fault.origins.contains) }
    // Of an object that exists already, only what the broken constraint consists of is left out.
    if case .set(_, let attribute, _) = self, !fault.fields.isEmpty { return fault.fields.contains(attribute) }
    return true
  }
}
