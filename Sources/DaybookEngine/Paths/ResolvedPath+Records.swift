import DaybookModel
import DaybookQuery

extension ResolvedPath {
  /// Returns the value of the path, which leads over to-one relationships, for an object.
  ///
  /// - Parameters:
  ///   - record: The record of the object.
  ///   - source: Has the other objects.
  func value(
    of object: ObjectKey, _ record: RecordView, from source: some PathSource, in model: ResolvedModel
  ) throws -> Value {
    guard !steps.isEmpty else { return try fieldValue(of: object, record, from: source, in: model) }
    var object = object
    for step in steps {
      guard let next = try source.target(of: step.relationship, from: object) else { return .null }
      object = next
    }
    guard let bytes = try unsafe source.unsafeRecord(of: object) else { return .null }
    return try fieldValue(of: object, RecordView(bytes), from: source, in: model)
  }

  private func fieldValue(
    of object: ObjectKey, _ record: RecordView, from source: some PathSource, in model: ResolvedModel
  ) throws -> Value {
    switch field {
    case .id: return .uuid(object.id)
    case .createdAt: return .date(record.stamps.createdAt)
    case .changedAt: return .date(record.stamps.changedAt)
    case .entity: return .string(model.entities[try model.entity(of: record, in: object.entity)].name)
    case .attribute(let number): return try record.value(of: model.entities[object.entity].attributes[number])
    case .target(let number):
      let reference = RelationshipReference(entity: object.entity, relationship: number)
      return try source.target(of: reference, from: object).map { .uuid($0.id) } ?? .null
    case .place(let number, let parent):
      return try source.place(
        of: object, in: model.entities[object.entity].relationships[number], under: parent)
    }
  }
}
