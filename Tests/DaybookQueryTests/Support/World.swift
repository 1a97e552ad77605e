@testable import DaybookModel
@testable import DaybookQuery

/// Objects in dictionaries, by the names of their fields, for the evaluation of filters.
struct World {
  struct Thing {
    let entity: String
    let id: ObjectID
    var values: [String: Value] = [:]
    var one: [String: ObjectID] = [:]
    var many: [String: [ObjectID]] = [:]
  }

  let model: ResolvedModel
  private(set) var things: [ObjectID: Thing] = [:]
  /// The number of reads from the source.
  var readCount = 0

  init(_ model: ResolvedModel = Kitchen.resolved) { self.model = model }

  subscript(id: ObjectID) -> Thing? { things[id] }

  func all(_ entity: String) -> [Thing] { things.values.filter { $0.entity == entity }.sorted { $0.id < $1.id } }

  mutating func add(_ entity: String, id: ObjectID? = nil, _ values: [String: Value] = [:]) -> ObjectID {
    let id = id ?? ObjectID(high: 0, low: UInt64(things.count + 1))
    var thing = Thing(entity: entity, id: id, values: values)
    thing.values["createdAt"] = thing.values["createdAt"] ?? .date(Timestamp(microseconds: Int64(things.count) * 1_000))
    thing.values["changedAt"] = thing.values["changedAt"] ?? thing.values["createdAt"]
    things[id] = thing
    return id
  }

  mutating func set(_ id: ObjectID, _ name: String, _ value: Value) { things[id]?.values[name] = value }

  /// Links two objects, from either side; a to-one side must be free.
  mutating func relate(_ id: ObjectID, _ name: String, to target: ObjectID) {
    guard let entity = things[id]?.entity, let number = model.entity(named: entity),
      let relation = model.entities[number].relationship(named: name)
    else { fatalError("no \(name)") }
    let relationship = model.entities[number].relationships[relation]
    let inverse = model.entities[relationship.target].relationships[relationship.inverse]
    link(id, relationship, target)
    if inverse !== relationship || id != target { link(target, inverse, id) }
  }

  private mutating func link(_ id: ObjectID, _ relationship: ResolvedRelationship, _ target: ObjectID) {
    guard relationship.isMany else {
      things[id]?.one[relationship.name] = target
      return
    }
    var targets = things[id]?.many[relationship.name] ?? []
    guard !targets.contains(target) else { return }
    targets.append(target)
    if !relationship.isOrdered { targets.sort() }
    things[id]?.many[relationship.name] = targets
  }
}

extension World: ObjectSource {
  mutating func value(of field: ResolvedPath.Field, of object: ObjectKey) throws -> Value {
    readCount += 1
    if field == .entity { return .string(things[object.id]?.entity ?? "") }
    let name =
      switch field {
      case .attribute(let number): model.entities[object.entity].attributes[number].name
      case .createdAt: "createdAt"
      case .changedAt: "changedAt"
      case .id, .entity, .target, .place: fatalError("never asked for")
      }
    return thing(object).values[name] ?? .null
  }

  mutating func target(of relationship: RelationshipReference, of object: ObjectKey) throws -> ObjectID? {
    readCount += 1
    return thing(object).one[model[relationship].name]
  }

  mutating func targets(of relationship: RelationshipReference, of object: ObjectKey) throws -> [ObjectID] {
    readCount += 1
    return thing(object).many[model[relationship].name] ?? []
  }

  mutating func count(of relationship: RelationshipReference, of object: ObjectKey) throws -> Int {
    try targets(of: relationship, of: object).count
  }

  private func thing(_ object: ObjectKey) -> Thing {
    guard let thing = things[object.id], thing.entity == model.entities[object.entity].name else {
      fatalError("no object \(object)")
    }
    return thing
  }
}

extension World {
  /// Returns whether an object meets a filter given as text.
  func matches(_ text: String, _ id: ObjectID) throws -> Bool {
    guard let thing = things[id], let entity = model.entity(named: thing.entity) else { fatalError("no object") }
    let filter = try ResolvedFilter(Filter(parsing: text), entity: entity, in: model)
    var source = self
    return try filter.matches(ObjectKey(entity: entity, id: id), in: &source)
  }
}
