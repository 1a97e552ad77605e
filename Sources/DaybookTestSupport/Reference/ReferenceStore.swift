import Daybook
import DaybookModel

/// A simple model of a store: dictionaries, arrays, and no code shared with writes and fold.
///
///     var reference = ReferenceStore(model)
///     reference.begin(time: now)
///     let outcome = reference.apply(.delete(id))      // nil, or the code of the error that the store must throw
///     let refusal = reference.commit()
///
/// It predicts the outcome of each operation, the objects and links, derived values, stamps, and the events in the
/// journal.
package struct ReferenceStore {
  package typealias Side = ReferenceModel.Side

  /// The committed state.
  package private(set) var state: ReferenceState
  /// The state within the current commit.
  package private(set) var draft: ReferenceState
  /// The events of the current commit, and afterwards of the last one.
  package private(set) var events: [ReferenceEvent] = []
  private var time = Timestamp(microseconds: 0)
  private var position: UInt64 { state.position + 1 }

  package init(_ model: Model) {
    state = ReferenceState(model)
    draft = state
  }

  package mutating func begin(time: Timestamp) {
    draft = state
    events = []
    self.time = time
  }

  /// Ends a commit.
  ///
  /// - Returns: The code of the error that the store must throw, or `nil` if the commit must succeed or change nothing.
  package mutating func commit() -> StoreError.Code? {
    guard !events.isEmpty else { return nil }
    if let refusal = constraintRefusal() {
      events = []
      draft = state
      return refusal
    }
    draft.position = position
    state = draft
    return nil
  }

  package mutating func rollBack() {
    draft = state
    events = []
  }

  /// Applies a model without renames: objects receive the defaults of added attributes.
  package mutating func evolve(to model: Model) {
    let old = state.model.whole
    let renames = state.model.evolve(to: model)
    state.rename(renames)
    // The attributes that the store has had, by their present names.
    let known = Set(
      old.entities.flatMap { entity in
        entity.attributes.map {
          ReferenceModel.Side(renames.entity(entity.name), renames.field($0.name, of: entity.name))
        }
      })
    for id in state.objects.keys.sorted() {
      guard let object = state.objects[id], let entity = state.model.entity(object.entity) else { continue }
      for attribute in entity.attributes
      where !known.contains(.init(entity.name, attribute.name)) && !attribute.defaultValue.isNull {
        state.objects[id]?.values[attribute.name] = attribute.defaultValue
      }
      for name in object.values.keys where state.model.attribute(name, of: entity.name) == nil {
        state.objects[id]?.values[name] = nil
      }
    }
    for side in state.links.keys where state.model.relationship(side) == nil { state.links[side] = nil }
    state.position += 1
    draft = state
  }

  /// - Returns: The code of the error that the store must throw without any change, or `nil`.
  package mutating func apply(_ operation: ReferenceOperation) -> StoreError.Code? {
    attempt { (store) throws(Refusal) in try store.run(operation) }
  }

  /// Deletes several objects in one operation.
  ///
  /// - Returns: The result of ``apply(_:)``.
  package mutating func delete(together ids: [ObjectID]) -> StoreError.Code? {
    attempt { (store) throws(Refusal) in try store.delete(ids) }
  }

  private mutating func attempt(_ body: (inout ReferenceStore) throws(Refusal) -> Void) -> StoreError.Code? {
    let (before, count) = (draft, events.count)
    do {
      try body(&self)
      return nil
    } catch {
      draft = before
      events.removeLast(events.count - count)
      return error.code
    }
  }

  /// Sets the order of the targets of an ordered relationship.
  ///
  /// - Returns: Whether the list has the same targets.
  package mutating func reorder(_ side: Side, of id: ObjectID, to list: [ObjectID]) -> Bool {
    guard draft.targets(side, id).sorted() == list.sorted() else { return false }
    draft.links[draft.model.declared(side), default: [:]][id] = list
    return true
  }

  private struct Refusal: Error {
    let code: StoreError.Code
    init(_ code: StoreError.Code) { self.code = code }
  }

  private mutating func run(_ operation: ReferenceOperation) throws(Refusal) {
    switch operation {
    case .insert(let entity, let values, let id): try insert(entity, values, id)
    case .rename(let id, let name):
      let object = try require(id)
      guard let attribute = draft.model.entity(object.entity)?.nameAttribute else { throw Refusal(.badValue) }
      try set(id, [attribute: .string(name)])
    case .set(let id, let values): try set(id, values)
    case .relate(let id, let name, let target, let place): try relate(id, name, target, place)
    case .unrelate(let id, let name, let target):
      let side = try resolve(id, name, target)
      if draft.targets(side, id).contains(target) { unlink(side, id, target) }
    case .delete(let id): try delete([id])
    case .record(let name, let id, let values): try record(name, id, values)
    }
  }

  /// Records an event about an object that exists or existed; the store's own rule for others is not in the reference.
  private mutating func record(_ name: String, _ id: ObjectID, _ values: [String: Value]) throws(Refusal) {
    guard let type = draft.model.event(name) else { throw Refusal(.notFound) }
    var stored: [String: Value] = [:]
    for (name, value) in values {
      guard let attribute = type.attributes.first(where: { $0.name == name }) else { throw Refusal(.notFound) }
      guard let type = attribute.type, fits(value, type) else { throw Refusal(.badValue) }
    }
    for attribute in type.attributes {
      let value = values[attribute.name] ?? attribute.defaultValue
      if !value.isNull { stored[attribute.name] = value } else if !attribute.isOptional { throw Refusal(.constraint) }
    }
    guard let known = draft.known[id] else { throw Refusal(.notFound) }
    guard draft.model.isKind(known.entity, of: type.about) else { throw Refusal(.badValue) }
    var event = ReferenceEvent(.recorded, known.entity, id, previous: previous(id))
    event.name = name
    event.values = stored
    events.append(event)
    touch(id)
  }

  private func require(_ id: ObjectID) throws(Refusal) -> ReferenceState.Object {
    guard let object = draft.objects[id] else { throw Refusal(.notFound) }
    return object
  }

  /// Returns the last earlier commit that touched an object.
  private func previous(_ id: ObjectID) -> UInt64? { state.known[id]?.last }

  private mutating func touch(_ id: ObjectID) {
    let position = position
    draft.known[id]?.last = position
  }

  /// Records a change of an object as the subject of an event.
  private mutating func change(_ id: ObjectID) {
    let position = position
    draft.objects[id]?.changed = position
    draft.objects[id]?.changedAt = time
    touch(id)
  }

  private func event(_ kind: ReferenceEvent.Kind, _ id: ObjectID) -> ReferenceEvent {
    let object = draft.objects[id]!
    var event = ReferenceEvent(kind, object.entity, id, previous: previous(id))
    event.formerChanged = object.changed
    event.formerChangedAt = object.changedAt
    return event
  }

  private func check(_ values: [String: Value], of entity: String) throws(Refusal) {
    for (name, value) in values {
      guard let attribute = draft.model.attribute(name, of: entity) else {
        throw Refusal(["id", "createdAt", "changedAt"].contains(name) ? .badValue : .notFound)
      }
      guard attribute.derivation == nil, let type = attribute.type, fits(value, type) else { throw Refusal(.badValue) }
      if value.isLarge, draft.model.entity(entity)?.unique.contains(where: { $0.contains(name) }) ?? false {
        throw Refusal(.tooLarge)
      }
    }
  }

  private func fits(_ value: Value, _ type: AttributeType) -> Bool {
    switch (value, type) {
    case (.null, _), (.string, .string), (.integer, .integer), (.decimal, .decimal), (.boolean, .boolean),
      (.date, .date), (.uuid, .uuid), (.data, .data), (.data, .codable), (.large, .data), (.large, .codable):
      true
    case (.double(let number), .double): !number.isNaN
    default: false
    }
  }

  // Objects.

  private mutating func insert(_ name: String, _ values: [String: Value], _ id: ObjectID) throws(Refusal) {
    guard let entity = draft.model.entity(name) else { throw Refusal(.notFound) }
    if entity.isAbstract { throw Refusal(.badValue) }
    if draft.objects[id] != nil { throw Refusal(.exists) }
    if let known = draft.known[id], known.entity != name { throw Refusal(.exists) }
    try check(values, of: name)
    var stored: [String: Value] = [:]
    for attribute in entity.attributes where attribute.derivation == nil {
      let value = values[attribute.name] ?? attribute.defaultValue
      if !value.isNull { stored[attribute.name] = value }
    }
    var event = ReferenceEvent(.inserted, name, id, previous: previous(id))
    event.values = stored
    events.append(event)
    draft.objects[id] = ReferenceState.Object(
      entity: name, values: stored, created: position, createdAt: time, changed: position, changedAt: time)
    draft.known[id] = (name, position)
  }

  private mutating func set(_ id: ObjectID, _ values: [String: Value]) throws(Refusal) {
    let object = try require(id)
    try check(values, of: object.entity)
    let name = draft.model.entity(object.entity)?.nameAttribute
    change(id, .renamed, values.filter { $0.key == name })
    change(id, .set, values.filter { $0.key != name })
  }

  private mutating func change(_ id: ObjectID, _ kind: ReferenceEvent.Kind, _ values: [String: Value]) {
    var event = event(kind, id)
    for (name, new) in values {
      let old = draft.objects[id]!.values[name] ?? .null
      if old != new { event.changes[name] = [old, new] }
    }
    guard !event.changes.isEmpty else { return }
    events.append(event)
    for (name, sides) in event.changes {
      // Not a conditional expression: its `nil` would become a stored null.
      if sides[1].isNull {
        draft.objects[id]!.values.removeValue(forKey: name)
      } else {
        draft.objects[id]!.values[name] = sides[1]
      }
    }
    change(id)
  }

  // Links.

  private func resolve(_ id: ObjectID, _ name: String, _ target: ObjectID) throws(Refusal) -> Side {
    let side = draft.model.declared(Side(try require(id).entity, name))
    guard let relationship = draft.model.relationship(side) else { throw Refusal(.notFound) }
    guard draft.model.isKind(try require(target).entity, of: relationship.target) else { throw Refusal(.badValue) }
    return side
  }

  private mutating func relate(
    _ id: ObjectID, _ name: String, _ target: ObjectID, _ place: Place
  ) throws(Refusal) {
    let side = try resolve(id, name, target)
    if place != .unspecified, !draft.model.relationship(side)!.isOrdered { throw Refusal(.badValue) }
    let old = draft.targets(side, id)
    let list = try placed(target, in: old, place)
    if old.contains(target), list == old { return }
    if draft.model.isMirrored(side) { return relateMutually(side, min(id, target), max(id, target)) }
    let other = draft.model.inverse(of: side)
    let owned = draft.model.isOwner(side) ? side : other
    let (owner, goal) = draft.model.isOwner(side) ? (id, target) : (target, id)
    if old.contains(target) {
      record(owned, owner, from: goal, to: goal)
    } else {
      let back = draft.model.inverse(of: owned)
      let (isToOne, isPartner) = (!draft.model.relationship(owned)!.isMany, !draft.model.relationship(back)!.isMany)
      if isToOne, isPartner, let former = draft.targets(back, goal).first { unlink(owned, former, goal) }
      let replaced = isToOne ? draft.targets(owned, owner).first : nil
      if let replaced { draft.unlink(owned, owner, replaced) }
      record(owned, owner, from: replaced, to: goal)
      draft.link(owned, owner, goal)
    }
    if draft.model.relationship(side)!.isOrdered { draft.links[side]![id] = list }
  }

  /// Makes the link of two objects, the first of which is the lesser one, under the one name that both have for it.
  private mutating func relateMutually(_ side: Side, _ first: ObjectID, _ second: ObjectID) {
    if !draft.model.relationship(side)!.isMany {
      for id in [first, second] {
        if let former = draft.targets(side, id).first { unlink(side, id, former) }
      }
    }
    record(side, first, from: nil, to: second)
    draft.link(side, first, second)
  }

  /// Returns a list with a target moved to a place.
  private func placed(_ target: ObjectID, in list: [ObjectID], _ place: Place) throws(Refusal) -> [ObjectID] {
    if place == .unspecified, list.contains(target) { return list }
    var rest = list.filter { $0 != target }
    switch place {
    case .unspecified, .last: rest.append(target)
    case .before(let other):
      guard let index = rest.firstIndex(of: other) else { throw Refusal(.notFound) }
      rest.insert(target, at: index)
    case .after(let other):
      guard let index = rest.firstIndex(of: other) else { throw Refusal(.notFound) }
      rest.insert(target, at: index + 1)
    }
    return rest
  }

  private mutating func unlink(_ side: Side, _ id: ObjectID, _ target: ObjectID) {
    let owned = draft.model.isOwner(side) ? side : draft.model.inverse(of: side)
    let isOwner = draft.model.isMirrored(side) ? id < target : draft.model.isOwner(side)
    let (owner, goal) = isOwner ? (id, target) : (target, id)
    record(owned, owner, from: goal, to: nil)
    draft.unlink(owned, owner, goal)
  }

  private mutating func record(_ side: Side, _ owner: ObjectID, from: ObjectID?, to: ObjectID?) {
    var event = event(to == nil ? .unrelated : .related, owner)
    event.relationship = side.name
    event.from = from
    event.to = to
    event.fromPrevious = from.flatMap { previous($0) }
    event.toPrevious = to.flatMap { previous($0) }
    events.append(event)
    change(owner)
    if let from { touch(from) }
    if let to { touch(to) }
  }

  // Deleting.

  private mutating func delete(_ roots: [ObjectID]) throws(Refusal) {
    for root in roots { _ = try require(root) }
    var rounds: [[ObjectID]] = [Array(Set(roots))]
    var going = Set(roots)
    while let last = rounds.last, !last.isEmpty {
      var next: [ObjectID] = []
      for id in last {
        for side in sides(of: id) where draft.model.relationship(side)!.deleteRule == .cascade {
          for target in draft.targets(side, id) where going.insert(target).inserted { next.append(target) }
        }
      }
      rounds.append(next)
    }
    for id in going {
      for side in sides(of: id) {
        let staying = draft.targets(side, id).filter { !going.contains($0) }
        guard !staying.isEmpty else { continue }
        let back = draft.model.relationship(draft.model.inverse(of: side))!
        if draft.model.relationship(side)!.deleteRule == .deny { throw Refusal(.constraint) }
        if !back.isMany, !back.isOptional { throw Refusal(.constraint) }
      }
    }
    for round in rounds.reversed() {
      for id in round.sorted() { deleteAlone(id) }
    }
  }

  private func sides(of id: ObjectID) -> [Side] { draft.model.sides(of: draft.objects[id]!.entity) }

  private mutating func deleteAlone(_ id: ObjectID) {
    for side in sides(of: id) {
      for target in draft.targets(side, id).sorted() { unlink(side, id, target) }
    }
    var event = event(.deleted, id)
    let object = draft.objects[id]!
    event.values = object.values
    event.formerCreated = object.created
    event.formerCreatedAt = object.createdAt
    events.append(event)
    draft.objects[id] = nil
    touch(id)
  }

  // Constraints.

  private func constraintRefusal() -> StoreError.Code? {
    var taken: [String: [[Value]: ObjectID]] = [:]
    for (id, object) in draft.objects {
      guard let entity = draft.model.entity(object.entity) else { continue }
      for attribute in entity.attributes
      where attribute.derivation == nil && !attribute.isOptional && object.values[attribute.name] == nil {
        return .constraint
      }
      for relationship in entity.relationships
      where !relationship.isMany && !relationship.isOptional
        && draft.targets(Side(entity.name, relationship.name), id).isEmpty
      {
        return .constraint
      }
      for (owner, names) in draft.model.model.lineage(of: entity.name).flatMap({ owner in
        owner.unique.map { (owner.name, $0) }
      }) {
        let values = names.map { name in
          if let value = object.values[name] { return value }
          return draft.targets(Side(entity.name, name), id).first.map { Value.uuid($0) } ?? .null
        }
        if values.contains(.null) { continue }
        if taken["\(owner) \(names)", default: [:]].updateValue(id, forKey: values) != nil { return .constraint }
      }
    }
    return nil
  }
}
