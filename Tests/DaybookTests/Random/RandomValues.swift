import Daybook
import DaybookModel
import DaybookTestSupport
import Foundation

/// Values that often cause errors: ties, nulls, long strings, bytes that sort unexpectedly.
extension SeededRandom {
  /// The share of large values among values of data and codable ones.
  private static let largePercent = 12

  mutating func value(_ type: AttributeType) -> Value {
    switch type {
    case .string: .string(text())
    case .integer:
      .integer(isTrue(percent: 90) ? Int64(number(-3...12)) : Int64(number(-1_000_000_000...1_000_000_000)))
    case .double: .double(pick([0, -0.0, 0.1, 0.2, 0.3, 1e16, -1e16, 1.5, -2.25, 3, .leastNormalMagnitude / 1e10]))
    case .decimal: .decimal(pick([0, 1, 1.5, -1.5, 100, 0.001, 12_345.678, -0.1].map { Decimal($0) }))
    case .boolean: .boolean(isTrue(percent: 50))
    // Half seconds, or quarters of days so that days, weeks and months differ.
    case .date: .date(Timestamp(microseconds: Int64(number(-5...40)) * pick([500_000, 21_600_000_000])))
    case .uuid: .uuid(ObjectID(high: UInt64(number(0...3)) << 62, low: UInt64(number(0...3))))
    case .data where isTrue(percent: SeededRandom.largePercent): largeValue(LargeSample.data)
    case .data: .data((0..<number(0...4)).map { _ in UInt8(pick([0, 1, 127, 255])) })
    case .codable where isTrue(percent: SeededRandom.largePercent): largeValue(LargeSample.json)
    case .codable: .data(Array(pick(["{}", "[1,2]", "true", "\"x\""]).utf8))
    }
  }

  private mutating func text() -> String {
    let words = [
      "a", "A", "b", "B", "Ä", "ä", "file9", "file10", "file010", "File9", "", "a\u{0}", "a\u{0}b", "é", "e\u{301}",
      "zz",
      "日本", "10", "9", "009", "ß", "SS", "a:", "a/", "a1", "İ",
    ]
    switch number(0...19) {
    // Longer than a key, with the difference after or before the length at which the key is cut.
    case 0: return String(repeating: "l", count: 600) + pick(["1", "2", "3"])
    case 1: return pick(["x", "y"]) + String(repeating: "l", count: number(380...520))
    case 2: return String(repeating: "7", count: number(250...300)) + pick(words)
    case 3...5: return pick(words) + pick(words)
    default: return pick(words)
    }
  }
}

/// Draws operations, most of which fit a state.
struct RandomOperations {
  var random: SeededRandom
  /// The number of ids drawn for new objects.
  private var counter: UInt64 = 0

  init(_ random: SeededRandom) {
    self.random = random
  }

  private mutating func newID() -> ObjectID {
    counter += 1
    return ObjectID(high: random.next() >> 1, low: counter)
  }

  private mutating func anyObject(_ state: ReferenceState, of entity: String? = nil) -> ObjectID {
    let ids =
      entity.map { state.objects(of: $0) } ?? state.objects.keys.sorted()
    if ids.isEmpty || random.isTrue(percent: 2) {
      // A deleted object, or one that never existed.
      let gone = state.known.keys.filter { state.objects[$0] == nil }.sorted()
      return gone.isEmpty ? ObjectID(high: 0, low: 9) : random.pick(gone)
    }
    if random.isTrue(percent: 25) { return ids[min(ids.count - 1, random.number(0...2))] }
    return random.pick(ids)
  }

  mutating func operations(_ state: ReferenceState, limit: Int) -> [ReferenceOperation] {
    let size = state.objects.count
    let isFull = size > limit
    switch random.number(0...99) {
    case 0..<(isFull ? 5 : 30): return insert(state)
    case ..<(isFull ? 12 : 35): return [.delete(anyObject(state))]
    case ..<57: return [set(state)]
    case ..<60: return [record(state) ?? set(state)]
    case ..<66: return [.rename(anyObject(state), text())]
    case ..<92: return relate(state).map { [$0] } ?? insert(state)
    case ..<95: return swap(state)
    default: return unrelate(state).map { [$0] } ?? [set(state)]
    }
  }

  private mutating func text() -> String {
    guard case .string(let text) = random.value(.string) else { return "" }
    return text
  }

  private mutating func values(_ entity: Entity, isInsert: Bool) -> [String: Value] {
    var values: [String: Value] = [:]
    for attribute in entity.attributes where attribute.derivation == nil {
      let isNeeded = isInsert && !attribute.isOptional && attribute.defaultValue.isNull
      guard random.isTrue(percent: isNeeded ? 99 : isInsert ? 50 : 30) else { continue }
      values[attribute.name] =
        attribute.isOptional && random.isTrue(percent: 20) ? .null : random.value(attribute.type!)
    }
    if random.isTrue(percent: 1) { values[entity.attributes[0].name] = .null }
    if random.isTrue(percent: 1) { values["createdAt"] = .integer(1) }
    if random.isTrue(percent: 1) { values["nothing"] = .integer(1) }
    return values
  }

  private mutating func insert(_ state: ReferenceState) -> [ReferenceOperation] {
    let whole = state.model.whole
    let entity = random.pick(random.isTrue(percent: 98) ? whole.entities.filter { !$0.isAbstract } : whole.entities)
    var id = newID()
    let gone = state.known.filter { state.objects[$0.key] == nil }.keys.sorted()
    if !gone.isEmpty, random.isTrue(percent: 20) { id = random.pick(gone) }
    var name = entity.name
    // A deleted object is usually inserted into its own entity again.
    if let known = state.known[id], random.isTrue(percent: 90) { name = known.entity }
    if random.isTrue(percent: 1) { id = anyObject(state) }
    guard let entity = state.model.entity(name) else { return [] }
    var operations: [ReferenceOperation] = [
      .insert(entity: name, values: values(entity, isInsert: true), id: id)
    ]
    for relationship in entity.relationships where !relationship.isMany {
      guard random.isTrue(percent: relationship.isOptional ? 30 : 97) else { continue }
      let targets = state.objects(of: relationship.target)
      if let target = targets.isEmpty ? nil : random.pick(targets) {
        operations.append(.relate(id, relationship.name, target, .unspecified))
      } else if !relationship.isOptional,
        let other = whole.entities.first(where: {
          !$0.isAbstract && state.model.isKind($0.name, of: relationship.target)
        })
      {
        let needed = newID()
        operations.append(.insert(entity: other.name, values: values(other, isInsert: true), id: needed))
        operations.append(.relate(id, relationship.name, needed, .unspecified))
      }
    }
    return operations
  }

  private mutating func set(_ state: ReferenceState) -> ReferenceOperation {
    let id = anyObject(state)
    guard let object = state.objects[id], let entity = state.model.entity(object.entity) else { return .set(id, [:]) }
    return .set(id, values(entity, isInsert: false))
  }

  /// Draws a recorded event, usually about an object of the right entity, which may have been deleted.
  private mutating func record(_ state: ReferenceState) -> ReferenceOperation? {
    guard let event = state.model.model.events.isEmpty ? nil : random.pick(state.model.model.events) else { return nil }
    let entity = random.isTrue(percent: 97) ? event.about : nil
    let ids = state.known.filter { known in entity.map { state.model.isKind(known.value.entity, of: $0) } ?? true }.keys
      .sorted()
    guard !ids.isEmpty else { return nil }
    var values: [String: Value] = [:]
    for attribute in event.attributes {
      let isNeeded = !attribute.isOptional && attribute.defaultValue.isNull
      guard random.isTrue(percent: isNeeded ? 98 : 50) else { continue }
      values[attribute.name] =
        attribute.isOptional && random.isTrue(percent: 20) ? .null : random.value(attribute.type!)
    }
    if random.isTrue(percent: 2) { values["nothing"] = .integer(1) }
    return .record(event.name, random.pick(ids), values)
  }

  /// Draws operations with which two objects of an entity exchange a value.
  private mutating func swap(_ state: ReferenceState) -> [ReferenceOperation] {
    let a = anyObject(state)
    guard let object = state.objects[a], let entity = state.model.entity(object.entity) else { return [] }
    let b = anyObject(state, of: object.entity)
    let attribute = random.pick(entity.attributes)
    guard attribute.derivation == nil, let other = state.objects[b] else { return [] }
    return [
      .set(a, [attribute.name: other.values[attribute.name] ?? .null]),
      .set(b, [attribute.name: object.values[attribute.name] ?? .null]),
    ]
  }

  private mutating func relate(_ state: ReferenceState) -> ReferenceOperation? {
    let id = anyObject(state)
    guard let object = state.objects[id] else { return .relate(id, "none", id, .unspecified) }
    let sides = state.model.sides(of: object.entity)
    guard !sides.isEmpty else { return nil }
    let side = random.pick(sides)
    let relationship = state.model.relationship(side)!
    let present = state.targets(side, id)
    var target = anyObject(state, of: random.isTrue(percent: 98) ? relationship.target : nil)
    if !present.isEmpty, random.isTrue(percent: 25) { target = random.pick(present) }
    if random.isTrue(percent: 4), relationship.target == object.entity { target = id }
    return .relate(id, side.name, target, place(among: present, isOrdered: relationship.isOrdered, state))
  }

  private mutating func place(among present: [ObjectID], isOrdered: Bool, _ state: ReferenceState) -> Place {
    guard isOrdered || random.isTrue(percent: 1) else { return .unspecified }
    let other = present.isEmpty || random.isTrue(percent: 2) ? anyObject(state) : random.pick(present)
    switch random.number(0...9) {
    case 0...2: return .unspecified
    case 3: return .last
    case 4...6: return .before(other)
    default: return .after(other)
    }
  }

  private mutating func unrelate(_ state: ReferenceState) -> ReferenceOperation? {
    let id = anyObject(state)
    guard let object = state.objects[id] else { return nil }
    let sides = state.model.sides(of: object.entity).filter {
      !state.targets($0, id).isEmpty || random.isTrue(percent: 5)
    }
    guard !sides.isEmpty else { return nil }
    let side = random.pick(sides)
    let present = state.targets(side, id)
    let target = present.isEmpty ? anyObject(state, of: state.model.relationship(side)!.target) : random.pick(present)
    return .unrelate(id, side.name, target)
  }
}
