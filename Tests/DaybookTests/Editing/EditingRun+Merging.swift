import DaybookModel
import DaybookTestSupport
import DaybookTools
import DifferenceCases

@testable import Daybook
@testable import DaybookRuntime

/// The end of a session, and rebases before it, where edits meet the commits of others.
extension EditingRun {
  /// A policy with its decisions.
  private struct Policy {
    let name: String
    let policy: ConflictPolicy
    let decide: @Sendable (EditingConflict) -> ConflictPolicy

    static let all: [Policy] = [
      Policy(name: "mine", policy: .mine) { _ in .mine }, Policy(name: "theirs", policy: .theirs) { _ in .theirs },
      Policy(name: "decide", policy: .decide(mixed), decide: mixed),
    ]

    /// Decides by the object, the same for all its conflicts, or by the whole conflict.
    @Sendable private static func mixed(_ conflict: EditingConflict) -> ConflictPolicy {
      var number = conflict.object.low &* 7 &+ (conflict.positions.first?.number ?? 0)
      if case .attribute(let name, let mine, _) = conflict.kind {
        number &+= UInt64(name.utf8.count)
        if number % 3 == 2 {
          if case .integer = mine { return .value(42) }
          return .value(mine)
        }
      }
      return number % 3 == 0 ? .theirs : .mine
    }
  }

  func end() throws {
    guard context.hasChanges == (stack.count > 1) else { throw Mismatch("it has changes, or none") }
    if random.isTrue(percent: 15) { return try cancel() }
    if !others.isEmpty, random.isTrue(percent: 30) { try rebase() }
    try save()
  }

  private func cancel() throws {
    let (head, hash) = (feed.head, try stateHash())
    context.cancel()
    guard try stateHash() == hash, try feed.store.position.number == head else { throw Mismatch("cancel left a trace") }
    stack = [stack[0]]
    for index in followers.indices { try update(&followers[index]) }
  }

  /// Returns the merge of the context with the commits of others, and compares its conflicts.
  private func merge() throws -> PlainMerge {
    var present = feed.reference
    present.begin(time: feed.clock.now)
    let merge = PlainMerge(stack.dropFirst().map(\.edits), others: others, present: present)
    guard stack.count > 1 else { return merge }
    let found = try context.preview(resolving: .refuse).conflicts
    guard found == merge.conflicts else { throw Mismatch("the conflicts are \(found) instead of \(merge.conflicts)") }
    if !others.isEmpty { mergeCount += 1 }
    guard !found.isEmpty else { return merge }
    conflictCount += 1
    do {
      if random.isTrue(percent: 50) { try context.rebase() } else { try context.save() }
      throw Mismatch("saved in spite of \(found)")
    } catch let error as StoreError where error.code == .conflict {
      guard error.editingConflicts == found else { throw Mismatch("refused for other conflicts: \(error)") }
    }
    return merge
  }

  func rebase() throws {
    let (merge, policy) = (try merge(), random.pick(Policy.all))
    var outcome = merge.carryOut(policy.decide)
    actions.append("rebase \(policy.name) \(merge.conflicts)")
    do {
      try context.rebase(resolving: policy.policy)
      if let refusal = outcome.refusal { throw Mismatch("rebased, but the reference says \(refusal)") }
    } catch let error as StoreError {
      guard error.code == outcome.refusal else { throw Mismatch("\(error) instead of \(outcome.refusal as Any)") }
      return
    }
    revived.formUnion(outcome.revived)
    if !outcome.steps.isEmpty {
      let last = outcome.steps.count - 1
      try adoptOrder(&outcome.steps[last].reference) { try self.context.targets(of: $0, $1) }
    }
    stack = [(merge.present, [])] + outcome.steps
    (undone, others) = ([], [])
    guard context.position.number == feed.head else { throw Mismatch("rebased to \(context.position)") }
    for index in followers.indices { try update(&followers[index]) }
  }

  private func save() throws {
    let (merge, policy) = (try merge(), random.pick(Policy.all))
    var outcome = merge.carryOut(policy.decide)
    revived.formUnion(outcome.revived)
    let isEmpty = outcome.reference.events.isEmpty
    var refusal = outcome.refusal
    var expected = outcome.reference
    if refusal == nil { refusal = expected.commit() }
    let plain = feed.requests.editingRequest(refusal == nil ? expected.draft : feed.reference.state)
    let head = Position(feed.head)
    let preview = try context.preview(of: [plain.request], resolving: policy.policy)
    do {
      actions.append("save \(policy.name) \(merge.conflicts)")
      let position = try context.save(CommitInfo(happenedAt: feed.clock.now), resolving: policy.policy)
      guard refusal == nil else { throw Mismatch("saved, but the reference says \(refusal!)") }
      guard position.number == (isEmpty ? head.number : head.number + 1) else { throw Mismatch("saved at \(position)") }
    } catch let error as StoreError {
      guard let refusal, error.code == refusal, preview.failures.first?.code == refusal else {
        throw Mismatch("\(error) instead of \(refusal as Any), foreseen: \(preview.failures)")
      }
      return context.cancel()
    }
    if !isEmpty {
      try adoptOrder(&outcome.reference) { id, name in try self.feed.store.read { try $0.targets(of: id, name) } }
      _ = outcome.reference.commit()
      feed.adopt(outcome.reference)
      let change = try feed.store.difference(of: plain.request, from: head)
      guard preview.failures.isEmpty,
        change.isEmpty ? preview.differences[plain.request] == nil : preview.differences[plain.request] == change
      else { throw Mismatch("\(plain)\nforeseen \(preview), but it became \(change)") }
      var log = try feed.store.log(from: head.next)
      guard try log.next()?.events == preview.events else { throw Mismatch("other events than were foreseen") }
    }
    try checkState()
    try check(merge, policy)
    try checkPartners(merge)
    let there = SectionedIDs(try feed.store.fetch(plain.request), plain.request)
    guard there == EditingRun.ids(plain, feed.reference.state) else { throw Mismatch("\(plain)\nsaved it is \(there)") }
  }

  /// Adopts the order of the targets in lists to which objects returned.
  private func adoptOrder(_ reference: inout ReferenceStore, _ targets: (ObjectID, String) throws -> [ObjectID]) throws
  {
    guard !revived.isEmpty else { return }
    for (side, lists) in reference.draft.links where reference.draft.model.relationship(side)!.isOrdered {
      for (id, list) in lists where reference.draft.objects[id] != nil {
        guard revived.contains(id) || !revived.isDisjoint(with: list) else { continue }
        let there = try targets(id, side.name)
        guard reference.reorder(side, of: id, to: there) else {
          throw Mismatch("\(side.name) of \(id) is \(there) instead of \(list)")
        }
      }
    }
  }

  /// Compares all objects, their values and links.
  private func checkState() throws {
    let state = feed.reference.state
    try feed.store.read { reader in
      for (id, known) in state.known {
        guard let object = state.objects[id] else {
          guard try reader.get(id) == nil else { throw Mismatch("\(known.entity) \(id) is there") }
          continue
        }
        guard let there = try reader.get(id) else { throw Mismatch("\(object.entity) \(id) is gone") }
        for attribute in state.model.entity(object.entity)!.attributes {
          let (value, wanted) = (there[attribute.name], state.value(attribute.name, of: id))
          guard value == wanted else { throw Mismatch("\(attribute.name) of \(id) is \(value) instead of \(wanted)") }
        }
        for side in state.model.sides(of: object.entity) {
          let (targets, wanted) = (try reader.targets(of: id, side.name), state.targets(side, id))
          guard targets == wanted else { throw Mismatch("\(side.name) of \(id) is \(targets) instead of \(wanted)") }
        }
      }
    }
  }

  /// Checks that each conflict has the policy's decision, whatever the operations.
  private func check(_ merge: PlainMerge, _ policy: Policy) throws {
    let saved = feed.reference.state
    // Different decisions about related facts cannot all be satisfied.
    guard policy.name != "decide" else { return }
    for conflict in merge.conflicts {
      let (id, isMine) = (conflict.object, policy.name == "mine")
      let isRight: Bool
      switch conflict.kind {
      case .attribute(let name, let mine, let theirs):
        isRight = saved.objects[id] == nil ? isMine : saved.value(name, of: id) == (isMine ? mine : theirs)
      case .target(let name, let mine, let theirs):
        let target = saved.targets(.init(conflict.entity, name), id).first
        isRight = isMine ? target == mine || isGone(mine, saved) || saved.objects[id] == nil : target == theirs
      case .link(let name, let target, let isMineRelated):
        let isLinked = saved.targets(.init(conflict.entity, name), id).contains(target)
        isRight = isLinked == (isMine ? isMineRelated : !isMineRelated) || isGone(id, saved) || isGone(target, saved)
      case .deletedHere:
        isRight = isMine ? tip.objects[id] != nil || saved.objects[id] == nil : saved.objects[id] != nil
      case .deletedByOthers: isRight = isMine || saved.objects[id] == nil
      case .removedByModel: throw Mismatch("\(conflict), though the model stays")
      }
      guard isRight else {
        throw Mismatch("\(policy.name) did not decide \(conflict): it is \(saved.objects[id] as Any)")
      }
    }
  }

  /// Checks that each one-to-one relationship leads where one of the sides led, or nowhere.
  ///
  /// Where a deletion is left out, its objects stay as the edits before it had left them.
  private func checkPartners(_ merge: PlainMerge) throws {
    let (saved, mine, theirs) = (feed.reference.state, tip, merge.present.draft)
    let edits = merge.steps.joined()
    let deleted = Set(edits.flatMap(\.events).filter { $0.kind == .deleted }.map(\.object))
    for (id, object) in saved.objects where !revived.contains(id) {
      for side in saved.model.sides(of: object.entity) {
        guard !saved.model.relationship(side)!.isMany, let target = saved.targets(side, id).first,
          !saved.model.relationship(saved.model.inverse(of: side))!.isMany, !revived.contains(target)
        else { continue }
        if [mine.targets(side, id).first, theirs.targets(side, id).first].contains(target) { continue }
        let isLeftOut = !deleted.isDisjoint(with: [id, target])
        guard isLeftOut, edits.contains(where: { $0.relates(id, side, target, saved.model) }) else {
          throw Mismatch("neither side led \(side.name) of \(id) to \(target)")
        }
      }
    }
  }

  private func isGone(_ id: ObjectID?, _ state: ReferenceState) -> Bool { id.map { state.objects[$0] == nil } ?? false }
}
