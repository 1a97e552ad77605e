import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// A simple merge of edits with the commits of others.
///
/// It keeps the facts of both sides, and the remaining operations.
struct PlainMerge {
  typealias Side = ReferenceModel.Side
  /// The commits of other writers, with their positions.
  typealias Commits = [(position: UInt64, events: [ReferenceEvent])]

  /// The result of applying the edits.
  struct Outcome {
    /// The states after each effective step, with its edits.
    var steps: [(reference: ReferenceStore, edits: [PlainEdit])] = []
    /// Objects that returned, whose places in lists are not predicted.
    var revived: Set<ObjectID> = []
    var reference: ReferenceStore
    /// The code of the error that an operation throws.
    var refusal: StoreError.Code?
  }

  let steps: [[PlainEdit]]
  let others: Commits
  let present: ReferenceStore
  private(set) var conflicts: [EditingConflict] = []
  /// By the index in ``conflicts``.
  private var facts: [[PlainFact]] = []
  private let mine: PlainSide
  private let theirs: PlainSide

  /// - Parameter present: The reference in a new commit on the current state.
  init(_ steps: [[PlainEdit]], others: Commits, present: ReferenceStore) {
    (self.steps, self.others, self.present) = (steps, others, present)
    let model = present.draft.model
    var (mine, theirs) = (PlainSide(model), PlainSide(model))
    for edit in steps.joined() { mine.read(edit.events, at: 0) }
    for commit in others { theirs.read(commit.events, at: commit.position) }
    let passing = mine.begun.filter { mine.existence[$0] == false && theirs.existence[$0] != nil }
    if !passing.isEmpty {
      mine = PlainSide(model)
      mine.ignored = passing
      for edit in steps.joined() { mine.read(edit.events, at: 0) }
    }
    (self.mine, self.theirs) = (mine, theirs)
    findConflicts()
  }

  // Conflicts.

  private mutating func findConflicts() {
    var found: [(EditingConflict, [PlainFact])] = []
    var clashing: Set<ObjectID> = []
    func conflict(_ id: ObjectID, _ kind: EditingConflict.Kind, _ positions: [UInt64]) -> EditingConflict {
      let entity = (present.draft.known[id]?.entity ?? mineEntity(of: id)) ?? ""
      return EditingConflict(entity: entity, object: id, kind: kind, positions: positions.map { Position($0) })
    }
    for id in mine.deleted where theirs.existence[id] != false && theirs.gaveMore(to: id) && !isPassing(id) {
      found.append(
        (conflict(id, .deletedHere, theirs.touching[id]!), theirs.words.keys.filter { $0.objects.contains(id) }))
      clashing.insert(id)
    }
    for id in needed where isLiveHere(id) && theirs.isGone(id) {
      found.append((conflict(id, .deletedByOthers, theirs.touching[id]!), []))
      clashing.insert(id)
    }
    func isThere(_ id: ObjectID) -> Bool { !clashing.contains(id) && isLiveHere(id) && isLiveThere(id) }
    for (fact, word) in mine.words {
      guard let other = theirs.words[fact], other != word, fact.objects.allSatisfy(isThere),
        !mine.isUnchanged(fact), !theirs.isUnchanged(fact), !theirs.lost(fact)
      else { continue }
      let kind: EditingConflict.Kind
      switch (fact, word, other) {
      case (.attribute(_, let name), .value(let a), .value(let b)): kind = .attribute(name, mine: a, theirs: b)
      case (.target(_, let side), .target(let a), .target(let b)):
        if let a, !present.draft.model.isOwner(side), !isThere(a) { continue }
        kind = .target(side.name, mine: a, theirs: b)
      case (.link(_, let side, let target), .isLinked(let a), _): kind = .link(side.name, target, isMineRelated: a)
      default: preconditionFailure("Both say the same kind of thing.")
      }
      found.append((conflict(fact.objects[0], kind, theirs.positions[fact]!), [fact]))
    }
    found.sort { ($0.0.object, "\($0.0.kind)") < ($1.0.object, "\($1.0.kind)") }
    (conflicts, facts) = (found.map(\.0), found.map(\.1))
  }

  private func isLiveHere(_ id: ObjectID) -> Bool { mine.existence[id] != false }
  private func isLiveThere(_ id: ObjectID) -> Bool { !theirs.isGone(id) }

  /// Returns whether the edits inserted an object and deleted it again.
  private func isPassing(_ id: ObjectID) -> Bool { mine.begun.contains(id) && mine.existence[id] == false }

  private func mineEntity(of id: ObjectID) -> String? {
    steps.joined().lazy.flatMap(\.events).first { $0.object == id }?.entity
  }

  /// The objects that the edits need in the end.
  private var needed: Set<ObjectID> {
    mine.words.reduce(into: mine.inserted) { ids, entry in
      if mine.isUnchanged(entry.key) { return }
      switch entry.value {
      case .value: ids.formUnion(entry.key.objects)
      case .target(let target): if let target { ids.formUnion(entry.key.objects + [target]) }
      case .isLinked(let isLinked): if isLinked { ids.formUnion(entry.key.objects) }
      }
    }
  }

  // Applying.

  private struct Refused: Error { let code: StoreError.Code }

  private struct Run {
    var reference: ReferenceStore
    var edits: [PlainEdit] = []
    var leftOut: Set<PlainFact> = []
    var abandoned: Set<ObjectID> = []
    var kept: Set<ObjectID> = []
    var spared: Set<ObjectID> = []

    var state: ReferenceState { reference.draft }

    func isThere(_ id: ObjectID) -> Bool {
      !abandoned.contains(id) && !kept.contains(id) && state.objects[id] != nil
    }

    mutating func apply(_ operation: ReferenceOperation) throws(Refused) {
      let changing = state.changes(of: operation)
      try note(changing) { $0.apply(operation) }
    }

    mutating func delete(_ ids: [ObjectID]) throws(Refused) {
      guard let first = ids.first else { return }
      try note(.delete(first)) { $0.delete(together: ids) }
    }

    private mutating func note(
      _ operation: ReferenceOperation, _ body: (inout ReferenceStore) -> StoreError.Code?
    ) throws(Refused) {
      let count = reference.events.count
      if let code = body(&reference) { throw Refused(code: code) }
      let events = Array(reference.events[count...])
      if !events.isEmpty { edits.append(PlainEdit(operation: operation, events: events)) }
    }
  }

  /// Applies the edits to the current state, with a decision for each conflict.
  func carryOut(_ decide: (EditingConflict) -> ConflictPolicy) -> Outcome {
    var run = Run(reference: present)
    var outcome = Outcome(reference: present)
    var replaced: [(ObjectID, String, Value)] = []
    var targets: [(fact: PlainFact, target: ObjectID?)] = []
    run.leftOut = Set(
      mine.words.keys.filter { fact in
        theirs.words[fact] != nil && mine.isUnchanged(fact) && !theirs.isUnchanged(fact) && !mine.lost(fact)
          && !theirs.lost(fact)
      })
    run.abandoned = mine.begun.filter { isPassing($0) && theirs.existence[$0] != nil }
    for (conflict, facts) in zip(conflicts, facts) {
      let (id, resolution) = (conflict.object, decide(conflict))
      if case .target(_, let mine, let theirs) = conflict.kind {
        targets.append((facts[0], resolution.isTheirs ? theirs : mine))
      }
      switch (conflict.kind, resolution) {
      case (.deletedByOthers, .theirs): run.abandoned.insert(id)
      case (.deletedByOthers, _): if !mine.inserted.contains(id) { outcome.revived.insert(id) }
      case (.deletedHere, .theirs):
        run.spared.insert(id)
        run.leftOut.formUnion(facts)
      case (.attribute(let name, _, _), .value(let value)):
        run.leftOut.formUnion(facts)
        replaced.append((id, name, value))
      case (let kind, .theirs):
        run.leftOut.formUnion(facts)
        run.spared.insert(id)
        if case .target(_, _, let target?) = kind { run.spared.insert(target) }
      default: break
      }
    }
    do {
      for (number, step) in steps.enumerated() {
        if number == 0 { try revive(outcome.revived, &run) }
        for edit in step { try carryOut(edit, &run) }
        if number == steps.count - 1 {
          for (id, name, value) in replaced where run.isThere(id) { try run.apply(.set(id, [name: value])) }
          try settle(targets, &run)
          try leaveStrays(&run)
        }
        if !run.edits.isEmpty { outcome.steps.append((run.reference, run.edits)) }
        run.edits = []
      }
    } catch {
      outcome.refusal = error.code
    }
    outcome.reference = run.reference
    return outcome
  }

  private func carryOut(_ edit: PlainEdit, _ run: inout Run) throws(Refused) {
    switch edit.operation {
    case .insert(let entity, let values, let id):
      if run.abandoned.contains(id) || run.kept.contains(id) { return }
      guard run.state.objects[id]?.entity == entity else { return try run.apply(edit.operation) }
      var merged: [String: Value] = [:]
      for attribute in run.state.model.entity(entity)!.attributes where attribute.derivation == nil {
        if run.leftOut.contains(.attribute(id, attribute.name)) { continue }
        merged[attribute.name] = values[attribute.name] ?? attribute.defaultValue
      }
      try run.apply(.set(id, merged))
    case .rename(let id, let name):
      guard run.isThere(id) else { return }
      let attribute = run.state.model.entity(run.state.objects[id]!.entity)!.nameAttribute!
      if !run.leftOut.contains(.attribute(id, attribute)) { try run.apply(.rename(id, name)) }
    case .set(let id, let values):
      guard run.isThere(id) else { return }
      try run.apply(.set(id, values.filter { !run.leftOut.contains(.attribute(id, $0.key)) }))
    case .record(_, let id, _): if run.state.known[id] != nil { try run.apply(edit.operation) }
    case .relate(let id, let name, let target, let place): try relate(edit, id, name, target, place, &run)
    case .unrelate(let id, let name, let target):
      let (event, model) = (edit.events.last!, run.state.model)
      let side = event.side(in: model)
      let isMany = model.relationship(side)!.isMany
      let fact: PlainFact = isMany ? .link(event.object, side, event.from!) : .target(event.object, side)
      if run.leftOut.contains(fact) || run.kept.contains(id) || run.kept.contains(target) { return }
      if !isMany, model.isMirrored(side) {
        if run.leftOut.contains(.target(event.from!, side)) { return }
        try release(event.object, side, &run)
        return try release(event.from!, side, &run)
      }
      guard isMany else { return try release(event.object, side, &run) }
      if run.isThere(id), run.isThere(target) { try run.apply(.unrelate(id, name, target)) }
    case .delete(let id):
      let going = edit.events.filter { $0.kind == .deleted }.map(\.object)
      let present = ([id] + going.reversed()).filter { run.isThere($0) }
      let staying = run.spared.union(run.kept)
      if going.contains(where: run.spared.contains) || !staying.isDisjoint(with: run.state.going(with: present)) {
        return run.kept.formUnion(going)
      }
      try run.delete(present)
    }
  }

  private func relate(
    _ edit: PlainEdit, _ id: ObjectID, _ name: String, _ target: ObjectID, _ place: Place, _ run: inout Run
  ) throws(Refused) {
    let (event, model) = (edit.events.last!, run.state.model)
    let side = event.side(in: model)
    let ends = [id, target]
    if ends.contains(where: { run.abandoned.contains($0) || run.kept.contains($0) }) { return }
    let inverse = model.inverse(of: side)
    let isMany = model.relationship(side)!.isMany
    if isMany, run.leftOut.contains(.link(event.object, side, event.to!)) { return }
    if !isMany, run.leftOut.contains(.target(event.object, side)) { return }
    if !isMany, !model.relationship(inverse)!.isMany, run.leftOut.contains(.target(event.to!, inverse)) { return }
    guard ends.allSatisfy(run.isThere) else {
      if !isMany, run.isThere(event.object) { try release(event.object, side, &run) }
      if !isMany, model.isMirrored(side), run.isThere(event.to!) { try release(event.to!, side, &run) }
      return
    }
    let list = run.state.targets(Side(run.state.objects[id]!.entity, name), id)
    switch place {
    case .before(let other), .after(let other):
      try run.apply(.relate(id, name, target, list.contains(other) ? place : .last))
    default: try run.apply(.relate(id, name, target, place))
    }
  }

  /// Corrects the targets that differ from the decisions, unless two decisions contradict each other.
  private func settle(_ decisions: [(fact: PlainFact, target: ObjectID?)], _ run: inout Run) throws(Refused) {
    for (fact, target) in decisions {
      guard case .target(let id, let side) = fact, run.isThere(id) else { continue }
      let (present, inverse) = (run.state.targets(side, id).first, run.state.model.inverse(of: side))
      if present == target { continue }
      let contradictions = decisions.filter { other, owner in
        if let present, other == .target(present, inverse) { return owner == id }
        if let target, other == .target(target, inverse) { return owner != id }
        return false
      }
      guard contradictions.isEmpty else { continue }
      if let target {
        if run.isThere(target) { try run.apply(.relate(id, side.name, target, .unspecified)) }
      } else {
        try run.apply(.unrelate(id, side.name, present!))
      }
    }
  }

  /// Ends one-to-one links that neither side has in the end.
  private func leaveStrays(_ run: inout Run) throws(Refused) {
    func target(_ id: ObjectID, _ side: Side, _ run: Run) -> ObjectID? {
      run.isThere(id) ? run.state.targets(side, id).first : nil
    }
    func committed(_ id: ObjectID, _ side: Side) -> ObjectID? {
      run.abandoned.contains(id) || present.draft.objects[id] == nil ? nil : present.draft.targets(side, id).first
    }
    let before = run
    let strays = mine.partners.filter { id, side, end in
      guard let there = target(id, side, before) else { return false }
      return there != end && there != committed(id, side)
    }
    for (id, side, _) in strays {
      if let there = target(id, side, run) { try run.apply(.unrelate(id, side.name, there)) }
    }
    for (id, side, end) in strays where end != nil && run.isThere(id) && target(id, side, run) == nil {
      guard let former = committed(id, side), run.isThere(former),
        target(former, run.state.model.inverse(of: side), run) == nil
      else { continue }
      try run.apply(.relate(id, side.name, former, .unspecified))
    }
  }

  private func release(_ id: ObjectID, _ side: Side, _ run: inout Run) throws(Refused) {
    guard run.isThere(id), let target = run.state.targets(side, id).first else { return }
    try run.apply(.unrelate(id, side.name, target))
  }

  /// Restores objects in their state before the delete.
  private func revive(_ ids: Set<ObjectID>, _ run: inout Run) throws(Refused) {
    var deletes: [(commit: Int, event: Int)] = []
    for id in ids {
      let commit = others.lastIndex { $0.events.contains { $0.kind == .deleted && $0.object == id } }!
      let event = others[commit].events.lastIndex { $0.kind == .deleted && $0.object == id }!
      deletes.append((commit, event))
    }
    deletes.sort { ($1.commit, $1.event) < ($0.commit, $0.event) }
    for (commit, event) in deletes {
      let event = others[commit].events[event]
      var values = event.values
      for attribute in run.state.model.entity(event.entity)!.attributes where attribute.derivation == nil {
        if values[attribute.name] == nil { values[attribute.name] = .some(.null) }
      }
      try run.apply(.insert(entity: event.entity, values: values, id: event.object))
    }
    var links: [(commit: Int, event: Int)] = []
    for (commit, event) in deletes {
      for index in formerLinks(of: event, in: others[commit].events)
      where !links.contains(where: { $0 == (commit, index) }) { links.append((commit, index)) }
    }
    links.sort { ($1.commit, $1.event) < ($0.commit, $0.event) }
    for (commit, index) in links { try restore(others[commit].events[index], &run) }
  }

  /// Returns the events before a delete that removed the object's links together with it.
  private func formerLinks(of index: Int, in events: [ReferenceEvent]) -> [Int] {
    var links: [Int] = []
    var next = events[index].object
    for number in (0..<index).reversed() {
      let event = events[number]
      if event.kind == .deleted {
        next = event.object
      } else if event.kind == .unrelated, event.object == next || event.from == next {
        if event.object == events[index].object || event.from == events[index].object { links.append(number) }
      } else {
        break
      }
    }
    return links
  }

  private func restore(_ event: ReferenceEvent, _ run: inout Run) throws(Refused) {
    let (state, side) = (run.state, event.side(in: run.state.model))
    let inverse = state.model.inverse(of: side)
    guard state.objects[event.object] != nil, state.objects[event.from!] != nil else { return }
    if !state.model.relationship(side)!.isMany {
      if !state.targets(side, event.object).isEmpty { return }
      if !state.model.relationship(inverse)!.isMany, !state.targets(inverse, event.from!).isEmpty { return }
    }
    try run.apply(.relate(event.object, side.name, event.from!, .unspecified))
  }
}

extension ReferenceState {
  /// Returns all objects that a delete of some objects removes, unless a rule refuses.
  fileprivate func going(with ids: [ObjectID]) -> Set<ObjectID> {
    var (going, last) = (Set(ids), ids)
    while !last.isEmpty {
      var next: [ObjectID] = []
      for id in last {
        for side in model.sides(of: objects[id]!.entity) where model.relationship(side)!.deleteRule == .cascade {
          next += targets(side, id).filter { going.insert($0).inserted }
        }
      }
      last = next
    }
    return going
  }

  /// Returns an operation without the values that are already set.
  func changes(of operation: ReferenceOperation) -> ReferenceOperation {
    guard case .set(let id, let values) = operation, let object = objects[id] else { return operation }
    return .set(id, values.filter { (object.values[$0.key] ?? .null) != $0.value })
  }
}
