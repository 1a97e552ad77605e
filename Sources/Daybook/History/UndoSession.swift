import DaybookEngine
import DaybookModel
import DaybookRuntime

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
    let act: UndoAct
    switch direction {
    case .undo:
      (info.undoes, info.message) = (run, info.message ?? "Undo \(position)")
      act = .undo(position)
    case .redo:
      (info.redoes, info.message) = (run, info.message ?? "Redo \(position)")
      act = .redo(position)
    }
    let plan = try session.undoPlan(position, through: position, isRedo: direction == .redo)
    if !isForced { try session.check(plan, for: act) }
    let omitted = isForced ? try omissions(from: plan, info) : [:]
    var leftOut = plan.conflicts.filter(\.isGone).map(\.text) + omitted.sorted { $0.key < $1.key }.map(\.value)
    let (_, made) = try session.commit(info, mayBeEmpty: true) { tx in
      leftOut += try tx.builder.carryOut(plan, without: Set(omitted.keys), isForced: isForced)
      if !isForced { try checkUnique(tx.builder, act) }
    }
    return UndoOutcome(position: made, targets: position...position, omissions: leftOut)
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

extension UndoSession {
  /// - Throws: `StoreError` with the code `conflict` if another object has taken a unique value since.
  private func checkUnique(_ builder: CommitBuilder, _ act: UndoAct) throws {
    guard builder.writer.count > 0 else { return }
    let lines = try builder.constraintFaults(atMost: UndoAct.maximumListed).compactMap { fault -> String? in
      guard let other = fault.other else { return nil }
      let taken = try builder.reader.lastPositions(of: other).max()
      return taken.map { "  commit \($0): \(fault.error.message)" } ?? "  \(fault.error.message)"
    }
    if !lines.isEmpty { throw act.conflict(lines) }
  }
}

private extension UndoPlan.Change {
  /// Whether leaving out the change may avoid a fault.
  func causes(_ fault: ConstraintFault) -> Bool {
    if let cycle = fault.cycle {
      guard case .link(let link) = self else { return false }
      return cycle.ids.contains(link.owner) && cycle.ids.contains(link.target)
    }
    guard objects.contains(fault.object) else { return objects.contains(where: fault.origins.contains) }
    // Of an object that exists already, only what the broken constraint consists of is left out.
    if case .set(_, let attribute, _) = self, !fault.fields.isEmpty { return fault.fields.contains(attribute) }
    return true
  }
}
