import DaybookModel

/// An object as it was read: a value, unaffected by later changes of the store.
public struct StoredObject: Sendable, Hashable, Identifiable {
  public let id: ObjectID
  /// The name of its entity.
  public let entity: String
  /// When the object was inserted.
  public let createdAt: Timestamp
  /// When an event last had the object as its subject.
  public let changedAt: Timestamp
  /// All attributes, including derived ones, in the order of the model; null without value.
  public let values: [NamedValue]
  /// All to-one relationships, in the order of the model; `nil` if there is no target.
  ///
  /// The owner of a relationship may be on either side.
  public let links: [NamedLink]

  /// An attribute with its value.
  public struct NamedValue: Sendable, Hashable {
    /// The name of the attribute.
    public let name: String
    /// Its value.
    public let value: Value
  }

  /// A to-one relationship with its target.
  public struct NamedLink: Sendable, Hashable {
    /// The name of the relationship.
    public let name: String
    /// The target.
    public let target: ObjectID?
  }

  /// The value of an attribute; null if it has no value or does not exist.
  public subscript(name: String) -> Value {
    values.first { $0.name == name }?.value ?? .null
  }

  /// Returns the target of a to-one relationship, or `nil` if it has none or does not exist.
  public func target(_ name: String) -> ObjectID? {
    links.first { $0.name == name }?.target
  }
}

extension Reader {
  /// Reads an object from its record.
  func object(_ key: ObjectKey, _ record: RecordView) throws -> StoredObject {
    let entity = model.entities[key.entity]
    let shape = entity.objectShape
    var values: [StoredObject.NamedValue] = []
    values.reserveCapacity(shape.attributes.count)
    var fields = FieldReader(record.fields)
    var field = fields.isAtEnd ? nil : try fields.next()
    // Attributes are numbered by rising tag, as fields are, so one pass finds all values.
    for index in shape.attributes.indices {
      let tag = shape.attributes[index].tag
      while let present = field, present.tag < tag { field = fields.isAtEnd ? nil : try fields.next() }
      let value: Value
      if let field, field.tag == tag { value = try field.value() } else { value = shape.attributes[index].missingValue }
      values.append(StoredObject.NamedValue(name: shape.attributes[index].name, value: value))
    }
    var links: [StoredObject.NamedLink] = []
    links.reserveCapacity(shape.links.count)
    for index in shape.links.indices {
      let tag = shape.links[index].tag
      let target =
        shape.links[index].isOwner
        ? try FieldReader.field(tag, in: record.fields)?.target() : try linkTargets(tag, from: key.id).first
      links.append(StoredObject.NamedLink(name: shape.links[index].name, target: target))
    }
    return StoredObject(
      id: key.id, entity: entity.name, createdAt: record.stamps.createdAt, changedAt: record.stamps.changedAt,
      values: values, links: links)
  }

  /// Reads a live object, or returns `nil` if it does not exist.
  package func object(_ key: ObjectKey) throws -> StoredObject? {
    guard let bytes = try record(of: key) else { return nil }
    let record = try RecordView(bytes)
    return record.isTombstone ? nil : try object(key, record)
  }

  /// Returns the key of the live object with an identity, of any entity, or `nil`.
  package func find(_ id: ObjectID) throws -> ObjectKey? {
    for entity in model.entities {
      let key = ObjectKey(entity: entity.index, id: id)
      guard let bytes = try foundRecord(of: key) else { continue }
      if try !RecordView(bytes).isTombstone { return key }
    }
    try proveAbsence(of: id)
    return nil
  }

  /// Returns the targets of a relationship: in their order if it is ordered, else by id.
  package func targets(of reference: RelationshipReference, from source: ObjectID) throws -> [ObjectID] {
    let relationship = model[reference]
    guard relationship.isOwner, !relationship.isMany else { return try linkTargets(relationship.tag, from: source) }
    guard let bytes = try record(of: ObjectKey(entity: reference.entity, id: source)) else { return [] }
    let record = try RecordView(bytes)
    guard let field = try FieldReader.field(relationship.tag, in: record.fields) else { return [] }
    return [try field.target()]
  }
}
