import DaybookModel
import DaybookQuery

/// The source of values for evaluating requests: the tables, through a reader.
package struct ReaderSource: ObjectSource {
  let reader: Reader

  package init(reader: Reader) {
    self.reader = reader
  }

  package mutating func value(of field: ResolvedPath.Field, of object: ObjectKey) throws -> Value {
    if case .place(let number, let parent) = field {
      return try reader.place(
        of: object, in: reader.model.entities[object.entity].relationships[number], under: parent)
    }
    guard let bytes = try unsafe reader.unsafeRecord(of: object) else { return .null }
    let record = try RecordView(bytes)
    switch field {
    case .attribute(let number): return try record.value(of: reader.model.entities[object.entity].attributes[number])
    case .createdAt: return .date(record.stamps.createdAt)
    case .changedAt: return .date(record.stamps.changedAt)
    case .id: return .uuid(object.id)
    case .target(let number):
      let reference = RelationshipReference(entity: object.entity, relationship: number)
      return try target(of: reference, of: object).map { .uuid($0) } ?? .null
    case .place: return .null
    }
  }

  package mutating func target(of relationship: RelationshipReference, of object: ObjectKey) throws -> ObjectID? {
    try reader.target(of: relationship, from: object)?.id
  }

  package mutating func targets(of relationship: RelationshipReference, of object: ObjectKey) throws -> [ObjectID] {
    try reader.targets(of: relationship, from: object.id)
  }

  package mutating func count(of relationship: RelationshipReference, of object: ObjectKey) throws -> Int {
    var count = 0
    try reader.forEachLink(reader.model[relationship].tag, from: object.id) { _, _ in
      count += 1
      return true
    }
    return count
  }
}
