import DaybookModel
import DaybookQuery
import LMDB

/// The source of values for evaluating requests: the tables, through a reader, or the record of one object alone.
@safe
package struct ReaderSource: ObjectSource {
  private let model: ResolvedModel
  /// Reads the other objects; `nil` if the requests read nothing but the record that is provided.
  private let others: Reader?
  /// The object whose record is at hand, or which has this record in place of the one in the tables.
  private var presentObject: ObjectKey?
  private var presentRecord = unsafe UnsafeBytes.none

  package init(reader: Reader) {
    (model, others) = (reader.model, reader)
  }

  /// Makes the source for requests that read nothing but their rows' own records
  /// (``RequestDependents/readOnlyOwnRecords``), which ``provide(_:of:)`` provides.
  init(recordsOf model: ResolvedModel) {
    (self.model, others) = (model, nil)
  }

  private var reader: Reader {
    guard let others else { preconditionFailure("A request that reads other objects is evaluated with a reader.") }
    return others
  }

  /// Provides the record of one object, which saves looking it up.
  ///
  /// The bytes must stay valid until another record is provided.
  mutating func provide(_ record: UnsafeBytes, of object: ObjectKey) {
    presentObject = object
    unsafe presentRecord = unsafe record
  }

  @unsafe
  @_lifetime(immortal)
  private func unsafeRecord(of object: ObjectKey) throws -> RawSpan? {
    guard object == presentObject else { return try unsafe reader.unsafeRecord(of: object) }
    return unsafe presentRecord.isNone ? nil : presentRecord.unsafeSpan
  }

  package mutating func value(of field: ResolvedPath.Field, of object: ObjectKey) throws -> Value {
    if case .place(let number, let parent) = field {
      return try reader.place(
        of: object, in: model.entities[object.entity].relationships[number], under: parent)
    }
    guard let bytes = try unsafe unsafeRecord(of: object) else { return .null }
    let record = try RecordView(bytes)
    switch field {
    case .attribute(let number): return try record.value(of: model.entities[object.entity].attributes[number])
    case .createdAt: return .date(record.stamps.createdAt)
    case .changedAt: return .date(record.stamps.changedAt)
    case .entity: return .string(model.entities[try model.entity(of: record, in: object.entity)].name)
    case .id: return .uuid(object.id)
    case .target(let number):
      let reference = RelationshipReference(entity: object.entity, relationship: number)
      return try link(of: reference, of: object).map { .uuid($0) } ?? .null
    case .place: return .null
    }
  }

  /// Returns whether a record is of an object of an entity or of a descendant of it.
  func isKind(_ record: RecordView, of entity: Int) throws -> Bool { try model.isKind(record, of: entity) }

  package mutating func isKind(_ object: ObjectKey, of entity: Int) throws -> Bool {
    guard let bytes = try unsafe unsafeRecord(of: object) else { return false }
    return try model.isKind(RecordView(bytes), of: entity)
  }

  package mutating func target(of relationship: RelationshipReference, of object: ObjectKey) throws -> ObjectID? {
    let link = model[relationship]
    if object == presentObject, link.isInRecord, !link.isSoft { return try ownedTarget(link, of: object) }
    return try reader.target(of: relationship, from: object)?.id
  }

  package mutating func link(of relationship: RelationshipReference, of object: ObjectKey) throws -> ObjectID? {
    guard model.entities[object.entity].isKey(relationship: relationship.relationship) else {
      return try target(of: relationship, of: object)
    }
    return try ownedTarget(model[relationship], of: object)
  }

  private func ownedTarget(_ link: ResolvedRelationship, of object: ObjectKey) throws -> ObjectID? {
    guard let bytes = try unsafe unsafeRecord(of: object) else { return nil }
    return try RecordView(bytes).target(of: link.tag)
  }

  package mutating func targets(of relationship: RelationshipReference, of object: ObjectKey) throws -> [ObjectID] {
    try reader.targets(of: relationship, from: object.id)
  }

  package mutating func count(of relationship: RelationshipReference, of object: ObjectKey) throws -> Int {
    var count = 0
    try reader.forEachLink(model[relationship].tag, from: object.id) { _, _ in
      count += 1
      return true
    }
    return count
  }
}
