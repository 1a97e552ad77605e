import DaybookModel
import DaybookQuery
import LMDB

/// Lookup of objects, and the verbs that change a single object.
extension CommitBuilder {
  /// Returns the key of the live object with an identity, or `nil` if it does not exist.
  package func find(_ id: ObjectID) throws -> ObjectKey? {
    try find(id, fold)
  }

  /// The same with a fold that the caller holds: reading the property again would retain it.
  func find(_ id: ObjectID, _ fold: Fold) throws -> ObjectKey? {
    // An object is found by the root of its hierarchy.
    let likely = fold.flatModel.entities[likelyEntity].root
    if let key = try fold.expectedLive(ObjectKey(entity: likely, id: id)) { return key }
    for root in fold.flatModel.roots where root != likely {
      if let key = try fold.expectedLive(ObjectKey(entity: root, id: id)) {
        likelyEntity = key.entity
        return key
      }
    }
    try reader.proveAbsence(of: id)
    return nil
  }

  package func require(_ id: ObjectID) throws -> ObjectKey {
    try require(id, fold)
  }

  func require(_ id: ObjectID, _ fold: Fold) throws -> ObjectKey {
    guard let key = try find(id, fold) else {
      try checkStored(id)
      throw StoreError(
        .notFound, "There is no object \(id).", advice: .readHistory)
    }
    return key
  }

  /// Returns the entity of a live object.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object does not exist.
  package func requireEntity(of id: ObjectID) throws -> ResolvedEntity {
    model.entities[try require(id).entity]
  }

  /// Returns the position of the last commit before this one that touched an object.
  func previous(of key: ObjectKey) throws -> Position? {
    try fold.positionBefore(key)
  }

  // What other modules call is concrete: a generic function is specialized only in its own module, and the generic form
  // of an insertion takes half as long again.

  /// Inserts an object.
  ///
  /// - Parameter id: Its identity, or `nil` for a new one.
  package func insert(_ name: String, _ values: [String: Value], id: ObjectID?) throws -> ObjectID {
    try insert(entity: name, values, id: id)
  }

  package func insert(_ name: String, _ values: [(key: String, value: Value)], id: ObjectID?) throws -> ObjectID {
    try insert(entity: name, values, id: id)
  }

  private func insert(
    entity name: String, _ values: some Collection<(key: String, value: Value)>, id given: ObjectID?
  ) throws -> ObjectID {
    let id = try perform { try insertAlone(name, values, id: given) }
    record(.insert(entity: name, values: Array(values), id: id))
    return id
  }

  private func insertAlone(
    _ name: String, _ values: some Collection<(key: String, value: Value)>, id given: ObjectID?
  ) throws -> ObjectID {
    let fold = fold
    let number = try requireEntity(name, fold)
    if fold.flatModel.entities[number].isAbstract { throw abstractError(number) }
    let id = given ?? makeID()
    let key = ObjectKey(entity: number, id: id)
    // The identity of a derived object is made from its key.
    if given != nil, !fold.model.entities[number].isDerived { try checkFree(key, fold) }
    likelyEntity = number
    // The buffer is swapped out during use because each access to an array in a class instance retains it.
    var fields: [UInt8] = []
    swap(&fields, &fieldBuffer)
    defer { swap(&fields, &fieldBuffer) }
    try fold.makeFields(of: number, values, into: &fields, staging: largeValues)
    let previous = try fold.positionBefore(key)
    let tag = fold.flatModel.entities[number].tag
    try log(fold) { try $0.inserted(id, entity: tag, previous: previous, fields: fields.rawSpan) }
    return id
  }

  /// The error of an insertion of an object of an abstract entity.
  private func abstractError(_ number: Int) -> StoreError {
    let entity = model.entities[number]
    let names = entity.descendants.map { model.entities[$0] }.filter { !$0.isAbstract && !$0.isRetired }.map(\.name)
    return StoreError(
      .badValue, "\(entity.name) is abstract, so no object of it can be inserted.",
      advice: names.isEmpty ? "It has no children." : "Insert an object of \(names.joined(separator: " or ")).")
  }

  /// Returns the number of an entity whose objects verbs write.
  ///
  /// - Throws: `StoreError`: `notFound`, which lists the existing names; `badRequest` for an entity of a projection.
  package func requireEntity(_ name: String) throws -> Int {
    try checkStored(name)
    return try model.requireEntity(name)
  }

  private func requireEntity(_ name: String, _ fold: Fold) throws -> Int {
    fold.flatModel.entityNames[likelyEntity] == name ? likelyEntity : try requireEntity(name)
  }

  /// - Throws: `StoreError` if a live object, or a deleted object of another entity, has this identity.
  private func checkFree(_ key: ObjectKey, _ fold: Fold) throws {
    let root = fold.flatModel.entities[key.entity].root
    for number in fold.flatModel.roots {
      let other = ObjectKey(entity: number, id: key.id)
      let record = try unsafe number == root ? fold.unsafeExpectedRecord(of: other) : fold.unsafeRecord(of: other)
      guard let record else {
        try fold.proveAbsence(of: other)
        continue
      }
      let entity = fold.model.entities[try fold.concrete(other).entity]
      if try !RecordView(record).isTombstone {
        throw StoreError(
          .exists, "\(entity.name) \(key.id) exists already.", advice: "Give another id, or change the object.")
      }
      if entity.index != key.entity {
        throw StoreError(
          .exists, "The id \(key.id) belongs to a deleted \(entity.name) and may come back only as one.",
          advice: "Give another id.")
      }
    }
  }

  /// Changes the name of an object.
  package func rename(_ id: ObjectID, to name: String) throws {
    try perform { try changeName(of: id, to: name) }
    record(.rename(id, to: name))
  }

  private func changeName(of id: ObjectID, to name: String) throws {
    let key = try require(id)
    let entity = model.entities[key.entity]
    guard let attribute = entity.nameAttribute else {
      throw StoreError(
        .badValue, "\(entity.name) has no name attribute.", advice: "Use set, or declare one in the model.")
    }
    let value = try entity.checked(.string(name), ofAttribute: attribute)
    try change(key, .renamed, CollectionOfOne((attribute, value)))
  }

  /// Changes attributes of an object.
  package func set(_ id: ObjectID, _ values: [String: Value]) throws {
    try set(valuesOf: id, values)
  }

  package func set(_ id: ObjectID, _ values: [(key: String, value: Value)]) throws {
    try set(valuesOf: id, values)
  }

  private func set(valuesOf id: ObjectID, _ values: some Collection<(key: String, value: Value)>) throws {
    try perform { try change(id, values) }
    record(.set(id, values: Array(values)))
  }

  private func change(_ id: ObjectID, _ values: some Collection<(key: String, value: Value)>) throws {
    let key = try require(id)
    let entity = model.entities[key.entity]
    var name: (Int, Value)?
    var others: [(Int, Value)] = []
    others.reserveCapacity(values.count)
    for (attributeName, value) in values {
      let attribute = try entity.requireStoredAttribute(attributeName)
      guard attribute != name?.0, !others.contains(where: { $0.0 == attribute }) else {
        throw StoreError(.badValue, "\(entity.name).\(attributeName) is given twice.")
      }
      let checked = try largeValues.stored(
        entity.checked(value, ofAttribute: attribute), ofAttribute: attribute, of: entity)
      if attribute == entity.nameAttribute { name = (attribute, checked) } else { others.append((attribute, checked)) }
    }
    if let name { try change(key, .renamed, CollectionOfOne(name)) }
    // Attributes are numbered by rising tag, as the fields of an event are.
    others.sort { $0.0 < $1.0 }
    try change(key, .set, others)
  }

  /// Changes attributes of an object that exists.
  ///
  /// - Parameters:
  ///   - attributes: The numbers of attributes, rising.
  ///   - values: Their values in stored form, and perhaps others after them.
  ///   - isSet: Returns whether an attribute, by its place in the list, may be changed.
  package func set(
    _ key: ObjectKey, _ attributes: [Int], to values: [Value], where isSet: (Int) -> Bool
  ) throws {
    try perform {
      let name = fold.model.entities[key.entity].nameAttribute.flatMap { attributes.firstIndex(of: $0) }
      if let name, isSet(name) { try change(key, .renamed, CollectionOfOne((attributes[name], values[name]))) }
      try change(key, .set) { set in
        for place in attributes.indices where place != name && isSet(place) {
          try set(attributes[place], values[place])
        }
      }
    }
  }

  /// Returns the number of an object among those that the commit touches, to which it is added if it is not among them.
  ///
  /// They are numbered from 0.
  package func number(touching key: ObjectKey) throws -> Int { try fold.touch(key) }

  /// Returns the values of attributes of an object that the commit touches, and after them the targets of links that it
  /// owns; `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - number: The number from ``number(touching:)``.
  ///   - attributes: The tags of stored attributes, rising.
  ///   - missing: The values that missing fields of these attributes mean.
  package func values(
    ofTouched number: Int, attributes: [Tag], missing: [Value], links: [Tag]
  ) throws -> [Value]? {
    let fold = fold
    let current = unsafe fold.changes[number].current
    if unsafe current.isNone { try fold.proveAbsence(of: fold.changes[number].key) }
    guard unsafe fold.isLive(current) else { return nil }
    let view = try unsafe RecordView(current.unsafeSpan)
    var values: [Value] = []
    values.reserveCapacity(attributes.count + links.count)
    var fields = FieldReader(view.fields)
    while values.count < attributes.count, !fields.isAtEnd {
      let field = try fields.next()
      while values.count < attributes.count, attributes[values.count] < field.tag {
        values.append(missing[values.count])
      }
      guard values.count < attributes.count, attributes[values.count] == field.tag else { continue }
      values.append(try field.value())
    }
    while values.count < attributes.count { values.append(missing[values.count]) }
    for link in links {
      if let field = try FieldReader.field(link, in: view.fields) {
        values.append(.uuid(try field.target()))
      } else {
        values.append(.null)
      }
    }
    return values
  }

  /// Writes one event for the attributes whose values change.
  ///
  /// - Parameter values: Checked values, by rising number of their attributes.
  private func change(_ key: ObjectKey, _ kind: EventKind, _ values: some Collection<(Int, Value)>) throws {
    try change(key, kind) { set in
      for (number, value) in values { try set(number, value) }
    }
  }

  /// Writes one event for the attributes whose values change.
  ///
  /// - Parameter forEachValue: Calls its argument with the numbers of attributes, rising, and their checked values.
  private func change(
    _ key: ObjectKey, _ kind: EventKind, _ forEachValue: (_ set: (Int, Value) throws -> Void) throws -> Void
  ) throws {
    let fold = fold
    // The buffer is swapped out, as in an insertion; a copy of the entity would retain all of its parts.
    var changes: [UInt8] = []
    swap(&changes, &fieldBuffer)
    defer { swap(&changes, &fieldBuffer) }
    changes.removeAll(keepingCapacity: true)
    guard let record = try unsafe fold.unsafeRecord(of: key) else { return }
    let view = try RecordView(record)
    let former = view.stamps
    let start = fold.flatModel.entities[key.entity].attributes.lowerBound
    try forEachValue { number, new in
      let attribute = fold.flatModel.attributes[start + number]
      let old =
        try FieldReader.field(attribute.tag, in: view.fields)?.value()
        ?? fold.model.entities[key.entity].attributes[number].missingValue
      guard old != new else { return }
      // The old value is written even if it comes from a default, so that undoing restores the value that was visible.
      changes.append(old, asChangeOf: attribute)
      changes.append(new, asChangeOf: attribute)
    }
    guard !changes.isEmpty else { return }
    let previous = try fold.positionBefore(key, former)
    let tag = fold.flatModel.entities[key.entity].tag
    try log(fold) {
      try $0.changed(kind, key.id, entity: tag, previous: previous, former: former, changes: changes.rawSpan)
    }
  }

  package func get(_ id: ObjectID) throws -> StoredObject? {
    guard let key = try find(id) else { return nil }
    try fold.settle()
    guard let record = try unsafe reader.unsafeRecord(of: key) else { return nil }
    return try reader.object(key, RecordView(record), largeValues: largeValues)
  }

  package func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    let key = try require(id)
    return try fold.targets(of: model.requireRelationship(relationship, of: key.entity), from: id)
  }
}

private extension [UInt8] {
  /// Appends one side of a change; a null that a missing field means is absent.
  mutating func append(_ value: Value, asChangeOf attribute: FlatModel.Attribute) {
    if value.isNull, !attribute.hasNullField {
      appendFieldHeader(attribute.tag, .absent)
    } else {
      appendField(attribute.tag, value)
    }
  }
}
