import DaybookModel

/// Carrying out an ``UndoPlan``.
extension CommitBuilder {
  /// Writes the changes of a plan within the commit in progress.
  ///
  /// Objects are inserted first and deleted last, and links are removed before others are made.
  ///
  /// - Parameters:
  ///   - omitted: The numbers of the changes to leave out.
  ///   - isForced: Whether changes that a rule of the model refuses are left out too, instead of thrown.
  /// - Returns: The changes that were refused, with the reasons.
  package func carryOut(_ plan: UndoPlan, without omitted: Set<Int>, isForced: Bool) throws -> [String] {
    var run = UndoRun(isForced: isForced)
    let changes = plan.changes.indices.filter { !omitted.contains($0) }.map { plan.changes[$0] }
    for change in changes {
      if case .insert(let id, let entity, let values) = change {
        try run.attempt(self, .insert(entity: entity, values: values, id: id), "\(entity) \(id) would be inserted")
      }
    }
    for (id, values) in UndoRun.values(in: changes) {
      let names = values.map(\.key).joined(separator: ", ")
      try run.attempt(self, .set(id, values: values), "\(names) of \(id) would be set")
    }
    for change in changes {
      guard case .unlink(let link) = change, let reference = model.relationship(tagged: link.relationship) else {
        continue
      }
      let name = model[reference].name
      try run.attempt(
        self, .unrelate(link.owner, relationship: name, from: link.target),
        "\(name) of \(link.owner) would be unrelated")
    }
    try restoreLinks(changes, plan.lists, &run)
    try run.delete(
      changes.compactMap { if case .delete(let id) = $0 { id } else { nil } }, with: self)
    return run.leftOut
  }

  private func restoreLinks(
    _ changes: [UndoPlan.Change], _ goals: [RestoredPlaces.List: [ObjectID]], _ run: inout UndoRun
  ) throws {
    var lists: [RestoredPlaces.List: ListPlaces] = [:]
    var order: [RestoredPlaces.List] = []
    for change in changes {
      guard let link = change.restoredLink, let reference = model.relationship(tagged: link.relationship) else {
        continue
      }
      guard let (list, item) = orderedSide(of: link, reference) else {
        let name = model[reference].name
        try run.attempt(
          self, .relate(link.owner, relationship: name, to: link.target, at: .unspecified),
          "\(name) of \(link.owner) would be related to \(link.target)")
        continue
      }
      if lists[list] == nil { order.append(list) }
      lists[list, default: ListPlaces(goal: goals[list] ?? [])].pending.insert(item)
    }
    for list in order {
      guard var places = lists[list] else { continue }
      // An object that a rule left out has no list.
      if try find(list.source) != nil { places.present = Set(try fold.targets(of: list.reference, from: list.source)) }
      let name = model[list.reference].name
      while let (item, place) = places.next() {
        let isDone = try run.attempt(
          self, .relate(list.source, relationship: name, to: item, at: place),
          "\(name) of \(list.source) would be related to \(item)")
        guard isDone else { continue }
        places.present.insert(item)
        places.following = item
      }
    }
  }

  /// Returns the list that a link has a place in, with the item, or `nil` if no side is ordered.
  private func orderedSide(
    of link: LinkIdentity, _ reference: RelationshipReference
  ) -> (list: RestoredPlaces.List, item: ObjectID)? {
    if model[reference].isOrdered {
      return (RestoredPlaces.List(reference: reference, source: link.owner), link.target)
    }
    let inverse = model.inverse(of: reference)
    guard model[inverse].isOrdered else { return nil }
    return (RestoredPlaces.List(reference: inverse, source: link.target), link.owner)
  }
}

private extension UndoPlan.Change {
  /// The link to make or to move.
  var restoredLink: LinkIdentity? {
    switch self {
    case .link(let link), .move(let link): link
    default: nil
    }
  }
}

/// The places to restore in one list, the last one of the goal first, so that each finds what follows it.
private struct ListPlaces {
  private let goal: [ObjectID]
  var pending: Set<ObjectID> = []
  /// The items of the present list.
  var present: Set<ObjectID> = []
  /// The number of items of the goal that are not examined yet.
  private var rest: Int
  /// The first present item of the goal after those.
  var following: ObjectID?

  init(goal: [ObjectID]) {
    self.goal = goal
    rest = goal.count
  }

  /// Returns the next item to restore with its place, or `nil` at the end.
  mutating func next() -> (item: ObjectID, place: Place)? {
    while rest > 0 {
      rest -= 1
      let item = goal[rest]
      if pending.contains(item) {
        return (item, following.map { Place.before($0) } ?? lastPlace(before: rest))
      }
      if present.contains(item) { following = item }
    }
    return nil
  }

  /// Returns the place of an item that nothing of the goal follows: after what precedes it, before what was added since.
  private func lastPlace(before index: Int) -> Place {
    let former = goal[..<index].last { present.contains($0) && !pending.contains($0) }
    return former.map { .after($0) } ?? .last
  }
}

/// The changes carried out so far.
private struct UndoRun {
  let isForced: Bool
  private(set) var leftOut: [String] = []

  init(isForced: Bool) {
    self.isForced = isForced
  }

  /// Returns the values to set, grouped by object, so that each object gets one event for them.
  static func values(in changes: [UndoPlan.Change]) -> [(id: ObjectID, values: [(key: String, value: Value)])] {
    var places: [ObjectID: Int] = [:]
    var groups: [(id: ObjectID, values: [(key: String, value: Value)])] = []
    for change in changes {
      guard case .set(let id, let attribute, let value) = change else { continue }
      if places[id] == nil {
        places[id] = groups.count
        groups.append((id, []))
      }
      groups[places[id] ?? 0].values.append((attribute, value))
    }
    return groups
  }

  /// Carries out a verb; returns `false` if it was refused and left out.
  @discardableResult
  mutating func attempt(_ builder: CommitBuilder, _ verb: Verb, _ what: @autoclosure () -> String) throws -> Bool {
    do {
      try builder.carryOut(verb)
      return true
    } catch let error as StoreError where isForced && builder.failure == nil {
      leftOut.append("\(what()): \(error.message)")
      return false
    }
  }

  /// Deletes objects together or, where that is forced and refused, those that can be deleted alone.
  mutating func delete(_ ids: [ObjectID], with builder: CommitBuilder) throws {
    if ids.isEmpty { return }
    do {
      try builder.carryOut(.delete(ids))
      return
    } catch is StoreError where isForced && builder.failure == nil {
      // A rule refuses one of them; the others are deleted without it.
    }
    var remaining = ids
    var refused: [String] = []
    repeat {
      let before = remaining.count
      refused = []
      remaining = try remaining.filter { id in
        guard try builder.find(id) != nil else { return false }
        do {
          try builder.carryOut(.delete([id]))
          return false
        } catch let error as StoreError where builder.failure == nil {
          refused.append("\(id) would be deleted: \(error.message)")
          return true
        }
      }
      if remaining.count == before { break }
    } while !remaining.isEmpty
    leftOut += refused
  }
}
