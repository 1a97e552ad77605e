import Daybook
import Foundation

/// Writes random commits into a store: all verbs, values that are awkward in JSON, and models that change.
package struct RandomHistory {
  package let seed: UInt64
  private var random: SeededRandom
  private let store: Store
  private var boxes: [ObjectID] = []
  private var things: [ObjectID] = []
  private var wraps: [ObjectID] = []
  private var modelNumber = 0
  private let hasLargeValues: Bool

  package static let model = Model(
    entities: [
      Entity(
        name: "Box", nameAttribute: "label",
        attributes: [
          Attribute(name: "label", type: .string),
          Attribute(name: "thingCount", type: nil, derivation: .count(relationship: "things")),
        ],
        relationships: [
          Relationship(
            name: "things", target: "Thing", inverse: "box", isMany: true, isOrdered: true, deleteRule: .cascade),
          Relationship(name: "friends", target: "Box", inverse: "fans", isMany: true, isOrdered: true),
          Relationship(name: "fans", target: "Box", inverse: "friends", isMany: true),
          Relationship(name: "wrap", target: "Wrap", inverse: "box", isOptional: true),
          Relationship(name: "neighbours", target: "Box", inverse: "neighbours", isMany: true),
          Relationship(name: "twin", target: "Box", inverse: "twin", isOptional: true),
        ], indexes: [Index([SortTerm(path: ["label"])])]),
      Entity(
        name: "Thing", nameAttribute: "name",
        attributes: [
          Attribute(name: "name", type: .string, isOptional: true),
          Attribute(name: "text", type: .string, isOptional: true),
          Attribute(name: "number", type: .integer, isOptional: true, defaultValue: 7),
          Attribute(name: "ratio", type: .double, isOptional: true),
          Attribute(name: "price", type: .decimal, isOptional: true),
          Attribute(name: "flag", type: .boolean, isOptional: true),
          Attribute(name: "day", type: .date, isOptional: true),
          Attribute(name: "key", type: .uuid, isOptional: true), Attribute(name: "blob", type: .data, isOptional: true),
          Attribute(name: "shape", type: .codable, isOptional: true),
        ],
        relationships: [Relationship(name: "box", target: "Box", inverse: "things", isOptional: true)]),
      Entity(
        name: "Wrap", attributes: [Attribute(name: "color", type: .string)],
        relationships: [Relationship(name: "box", target: "Box", inverse: "wrap", isOptional: true)]),
    ],
    events: [
      EventType(
        name: "Noted", about: "Thing",
        attributes: AttributeType.allCases.map { Attribute(name: "\($0)Value", type: $0, isOptional: true) }),
      EventType(name: "Opened", about: "Box", attributes: [Attribute(name: "count", type: .integer, defaultValue: 1)]),
    ])

  /// - Parameter hasLargeValues: Whether some values are large, so that an export has more lines than commits.
  package init(_ store: Store, seed: UInt64, hasLargeValues: Bool = true) {
    self.seed = seed
    self.hasLargeValues = hasLargeValues
    self.store = store
    random = SeededRandom(seed: seed)
  }

  /// Writes so many commits, some of them of a model.
  package mutating func write(_ count: Int) throws {
    for _ in 0..<count {
      if random.isOneIn(12) { try changeModel() } else { try writeCommit() }
    }
  }

  private mutating func changeModel() throws {
    var model = try store.read { $0.model }
    modelNumber += 1
    let thing = model.entities.firstIndex { $0.name.hasPrefix("Thing") }!
    switch Int.random(in: 0..<10, using: &random) {
    case 8: changeEvents(&model)
    case 9:
      if let noted = model.events.firstIndex(where: { $0.name.hasPrefix("Noted") }) {
        model.events[noted].renamedFrom = model.events[noted].name
        model.events[noted].name = "Noted\(modelNumber)"
      }
    case 0:
      model.entities[thing].attributes.append(
        Attribute(name: "added\(modelNumber)", type: .integer, isOptional: true, defaultValue: 5))
    case 1: model.entities[thing].attributes.removeAll { $0.name.hasPrefix("added") }
    case 2, 3:
      let count = model.entities[thing].attributes.count
      model.entities[thing].attributes.removeAll { $0.name == "text" }
      if model.entities[thing].attributes.count == count {
        let type: AttributeType = random.isOneIn(2) ? .integer : .string
        model.entities[thing].attributes.append(Attribute(name: "text", type: type, isOptional: true))
      }
    case 4:
      let (box, wrap) = (0, model.entities.firstIndex { $0.name == "Wrap" }!)
      if model.entities[wrap].relationships.isEmpty {
        model.entities[wrap].relationships = RandomHistory.model.entities[2].relationships
        model.entities[box].relationships.append(RandomHistory.model.entities[0].relationships[3])
      } else {
        model.entities[wrap].relationships = []
        model.entities[box].relationships.removeAll { $0.name == "wrap" }
      }
    case 6:
      let count = model.entities[0].attributes.count
      model.entities[0].attributes.removeAll { $0.name == "thingCount" }
      if model.entities[0].attributes.count == count {
        model.entities[0].attributes.append(RandomHistory.model.entities[0].attributes[1])
      }
    case 5:
      model.entities[thing].renamedFrom = model.entities[thing].name
      model.entities[thing].name = "Thing\(modelNumber)"
      for entity in model.entities.indices {
        for index in model.entities[entity].relationships.indices
        where model.entities[entity].relationships[index].target.hasPrefix("Thing") {
          model.entities[entity].relationships[index].target = "Thing\(modelNumber)"
        }
      }
      for event in model.events.indices where model.events[event].about.hasPrefix("Thing") {
        model.events[event].about = "Thing\(modelNumber)"
      }
    default: model.entities[thing].indexes.append(Index([SortTerm(path: ["number"]), SortTerm(path: ["name"])]))
    }
    do {
      try store.apply(model, info: CommitInfo(message: "model \(modelNumber)"))
    } catch let error as StoreError where error.code == .badModel {
      // An index that is there already, and the like.
    }
  }

  private mutating func changeEvents(_ model: inout Model) {
    guard let opened = model.events.firstIndex(where: { $0.name == "Opened" }) else {
      model.events.append(RandomHistory.model.events[1])
      return
    }
    let count = model.events[opened].attributes.count
    if count > 2 {
      model.events.remove(at: opened)
    } else if count == 2 {
      model.events[opened].attributes.removeLast()
    } else {
      model.events[opened].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
    }
  }

  private mutating func record(_ tx: borrowing Transaction) throws {
    guard let event = tx.model.events.randomElement(using: &random) else { return }
    // The identities of deleted objects stay in the lists.
    let ids = event.about == "Box" ? boxes : things
    guard let id = ids.randomElement(using: &random) else { return }
    try tx.record(event.name, about: id, values(ofAttributes: event.attributes))
  }

  private mutating func writeCommit() throws {
    var copy = self
    defer { self = copy }
    let info = CommitInfo(
      author: copy.random.isOneIn(2) ? nil : copy.text(), message: copy.random.isOneIn(3) ? nil : copy.text(),
      happenedAt: copy.random.isOneIn(3) ? copy.time() : nil,
      commitID: copy.random.isOneIn(4) ? ObjectID(high: copy.random.next(), low: copy.random.next()) : nil)
    let before = (copy.boxes, copy.things, copy.wraps)
    do {
      _ = try store.commit(info) { tx in
        for _ in 0..<Int.random(in: 1...6, using: &copy.random) { try copy.operation(tx) }
      }
    } catch is StoreError {
      // Some operations are refused; the commit leaves no trace.
      (copy.boxes, copy.things, copy.wraps) = before
    }
  }

  private mutating func operation(_ tx: borrowing Transaction) throws {
    let thing = tx.model.entities.first { $0.name.hasPrefix("Thing") }!
    switch Int.random(in: 0..<13, using: &random) {
    case 0: boxes.append(try tx.insert("Box", ["label": .string(text())]))
    case 1, 2: things.append(try tx.insert(thing.name, values(of: thing)))
    case 3: wraps.append(try tx.insert("Wrap", ["color": .string(text())]))
    case 4: if let id = boxes.randomElement(using: &random) { try tx.rename(id, to: text()) }
    case 5, 6: if let id = things.randomElement(using: &random) { try tx.set(id, values(of: thing)) }
    case 7: try relateThing(tx)
    case 8:
      guard let box = boxes.randomElement(using: &random), let other = boxes.randomElement(using: &random) else {
        return
      }
      if random.isOneIn(3) {
        try relateMutually(box, other, tx)
      } else if random.isOneIn(3) {
        try tx.unrelate(box, "friends", from: other)
      } else {
        let friends = try tx.targets(of: box, "friends")
        let beside = random.isOneIn(2) ? friends.filter { $0 != other }.randomElement(using: &random) : nil
        let place = beside.map { random.isOneIn(2) ? Place.before($0) : .after($0) }
        try tx.relate(box, "friends", to: other, at: place ?? .unspecified)
      }
    case 9:
      guard let box = boxes.randomElement(using: &random), let wrap = wraps.randomElement(using: &random) else {
        return
      }
      try tx.relate(box, "wrap", to: wrap)
    case 12: try record(tx)
    case 10: if random.isOneIn(2), let id = things.randomElement(using: &random) { try tx.delete(id) }
    default: if random.isOneIn(3), let id = boxes.randomElement(using: &random) { try tx.delete(id) }
    }
  }

  /// Changes a link over a relationship that is its own inverse.
  private mutating func relateMutually(_ box: ObjectID, _ other: ObjectID, _ tx: borrowing Transaction) throws {
    let name = random.isOneIn(2) ? "neighbours" : "twin"
    if random.isOneIn(3) { try tx.unrelate(box, name, from: other) } else { try tx.relate(box, name, to: other) }
  }

  private mutating func relateThing(_ tx: borrowing Transaction) throws {
    guard let box = boxes.randomElement(using: &random), let id = things.randomElement(using: &random) else { return }
    let present = try tx.targets(of: box, "things")
    guard let other = present.randomElement(using: &random), random.isOneIn(2), other != id else {
      return try tx.relate(box, "things", to: id, at: .last)
    }
    try tx.relate(box, "things", to: id, at: random.isOneIn(2) ? .before(other) : .after(other))
  }

  private mutating func values(of entity: Entity) -> [String: Value] { values(ofAttributes: entity.attributes) }

  private mutating func values(ofAttributes attributes: [Attribute]) -> [String: Value] {
    var values: [String: Value] = [:]
    for attribute in attributes {
      guard let type = attribute.type, random.isOneIn(2) else { continue }
      values[attribute.name] = attribute.isOptional && random.isOneIn(4) ? .null : value(type)
    }
    return values
  }

  private mutating func value(_ type: AttributeType) -> Value {
    switch type {
    case .string: .string(text())
    case .integer: .integer(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
    case .double:
      .double(
        [0.1, 1e300, -.infinity, .infinity, .leastNonzeroMagnitude, 3, -0.0, 1.0 / 3].randomElement(using: &random)!)
    case .decimal:
      .decimal(
        Decimal(
          sign: random.isOneIn(2) ? .minus : .plus, exponent: Int.random(in: -100...80, using: &random),
          significand: Decimal(random.next())))
    case .boolean: .boolean(random.isOneIn(2))
    case .date: .date(time())
    case .uuid: .uuid(ObjectID(high: random.next(), low: random.next()))
    case .data where hasLargeValues && random.isOneIn(8): random.largeValue(Array(LargeSample.data.prefix(3)))
    case .codable where hasLargeValues && random.isOneIn(8): random.largeValue(LargeSample.json)
    case .data:
      .data((0..<Int.random(in: 0..<5, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    case .codable:
      .data(
        Array(
          [#"{"b": [1, 2.50], "a": null}"#, "[]", "1e999", #""\u0000é""#, "[1,2]"].randomElement(using: &random)!.utf8))
    }
  }

  private mutating func time() -> Timestamp {
    Timestamp(microseconds: Int64(bitPattern: random.next()) >> Int64.random(in: 0..<20, using: &random))
  }

  private mutating func text() -> String {
    let parts = ["a", "Z", "0", " ", "\"", "\\", "\n", "\u{1}", "\u{7f}", "é", "e\u{301}", "語", "🎂", "\0", "#"]
    return (0..<Int.random(in: 0..<8, using: &random)).map { _ in parts.randomElement(using: &random)! }.joined()
  }
}
