import Daybook
import DaybookTestSupport

/// Draws operations that make several writers clash.
///
/// They affect a few objects and their linked objects, which are edited, moved, unrelated, deleted, and inserted again.
struct ClashingOperations {
  var random: SeededRandom
  private var focus: [ObjectID] = []
  /// Identities that any writer may insert, each with its entity.
  private var fresh: [(id: ObjectID, entity: String)] = []

  init(random: SeededRandom) {
    self.random = random
  }

  /// Chooses the objects.
  mutating func begin(_ state: ReferenceState) {
    let ids = state.objects.keys.sorted()
    focus = ids.isEmpty ? [] : (0..<3).map { _ in random.pick(ids) }
    for id in focus { focus += state.neighbours(of: id).prefix(3) }
    let gone = state.known.keys.filter { state.objects[$0] == nil }.sorted()
    if !gone.isEmpty { focus.append(random.pick(gone)) }
    fresh = (0..<2).map { _ in
      let id = ObjectID(high: random.next() >> 1, low: random.next())
      return (id, random.pick(state.model.whole.entities.filter { !$0.isAbstract }).name)
    }
  }

  mutating func operations(_ state: ReferenceState) -> [ReferenceOperation] {
    if focus.isEmpty || random.isTrue(percent: 8) { return insertFresh(state) }
    let id = random.pick(focus)
    guard let object = state.objects[id] else {
      guard let known = state.known[id], random.isTrue(percent: 60) else { return [] }
      return insert(id, known.entity, state)
    }
    switch random.number(0...19) {
    case 0...5: return [set(id, object, state)]
    case 6...10: return relate(id, object, state)
    case 11...12: return unrelate(id, object, state)
    case 13...16: return [.delete(id)]
    case 17: return [set(id, object, state), .delete(id)]
    case 18: return [.delete(id)] + insert(id, object.entity, state)
    default: return [set(id, object, state)] + relate(id, object, state) + [.delete(id)]
    }
  }

  private mutating func insertFresh(_ state: ReferenceState) -> [ReferenceOperation] {
    guard !fresh.isEmpty else { return [] }
    let (id, entity) = random.pick(fresh)
    if let object = state.objects[id] {
      return random.isTrue(percent: 30) ? [.delete(id)] : [set(id, object, state)]
    }
    return insert(id, entity, state)
  }

  private mutating func insert(_ id: ObjectID, _ name: String, _ state: ReferenceState) -> [ReferenceOperation] {
    let entity = state.model.entity(name)!
    var values: [String: Value] = [:]
    for attribute in entity.attributes where attribute.derivation == nil {
      let isNeeded = !attribute.isOptional && attribute.defaultValue.isNull
      if isNeeded || random.isTrue(percent: 60) { values[attribute.name] = random.value(attribute.type!) }
    }
    var operations: [ReferenceOperation] = [.insert(entity: name, values: values, id: id)]
    for relationship in entity.relationships where !relationship.isMany {
      guard !relationship.isOptional || random.isTrue(percent: 40) else { continue }
      if let target = target(relationship.target, state) {
        operations.append(.relate(id, relationship.name, target, .unspecified))
      }
    }
    return operations
  }

  private mutating func set(_ id: ObjectID, _ object: ReferenceState.Object, _ state: ReferenceState)
    -> ReferenceOperation
  {
    let stored = state.model.entity(object.entity)!.attributes.filter { $0.derivation == nil }
    guard !stored.isEmpty else { return .set(id, [:]) }
    let attribute = stored[random.isTrue(percent: 60) ? 0 : random.number(0...(stored.count - 1))]
    return .set(id, [attribute.name: random.value(attribute.type!)])
  }

  private mutating func relate(
    _ id: ObjectID, _ object: ReferenceState.Object, _ state: ReferenceState
  ) -> [ReferenceOperation] {
    let sides = state.model.sides(of: object.entity)
    guard !sides.isEmpty else { return [] }
    let side = random.pick(sides)
    guard let target = target(state.model.relationship(side)!.target, state) else { return [] }
    return [.relate(id, side.name, target, .unspecified)]
  }

  private mutating func unrelate(
    _ id: ObjectID, _ object: ReferenceState.Object, _ state: ReferenceState
  ) -> [ReferenceOperation] {
    let sides = state.model.sides(of: object.entity).filter { !state.targets($0, id).isEmpty }
    guard !sides.isEmpty else { return [] }
    let side = random.pick(sides)
    let target = random.pick(state.targets(side, id))
    // Unlinks the target, or links it to another object.
    if random.isTrue(percent: 50) { return [.unrelate(id, side.name, target)] }
    guard let other = self.target(object.entity, state) else { return [] }
    return [.relate(target, state.model.inverse(of: side).name, other, .unspecified)]
  }

  /// Returns one of the chosen objects if possible.
  private mutating func target(_ entity: String, _ state: ReferenceState) -> ObjectID? {
    let near = (focus + fresh.map(\.id)).filter { id in
      state.objects[id].map { state.model.isKind($0.entity, of: entity) } ?? false
    }
    if !near.isEmpty, random.isTrue(percent: 75) { return random.pick(near) }
    let ids = state.objects(of: entity)
    return ids.isEmpty ? nil : random.pick(ids)
  }
}

extension ReferenceState {
  /// Returns the objects linked with an object.
  fileprivate func neighbours(of id: ObjectID) -> [ObjectID] {
    guard let object = objects[id] else { return [] }
    return Array(Set(model.sides(of: object.entity).flatMap { targets($0, id) })).sorted()
  }
}
