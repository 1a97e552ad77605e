import DaybookModel

/// A source of objects for filters and sort terms.
///
/// It is the store's tables, a stack of layers over them, or a test's dictionaries. All objects passed to it must
/// exist; an object without a value has ``Value/null``, and an object without a target has `nil`. Only
/// fields and relationships in a request's paths are read.
package protocol ObjectSource {
  /// Returns the value of an attribute, of `createdAt` or `changedAt`, or the name of the object's entity.
  ///
  /// Never called for `id` and `.target`.
  mutating func value(of field: ResolvedPath.Field, of object: ObjectKey) throws -> Value
  /// Returns the target of a to-one relationship, whichever side owns the links.
  mutating func target(of relationship: RelationshipReference, of object: ObjectKey) throws -> ObjectID?
  /// Returns the value of a to-one relationship as a field: its target, but the identity that a row has in its key
  /// whether or not that object exists.
  mutating func link(of relationship: RelationshipReference, of object: ObjectKey) throws -> ObjectID?
  /// Returns the targets of a to-many relationship, in their order or else by id.
  mutating func targets(of relationship: RelationshipReference, of object: ObjectKey) throws -> [ObjectID]
  /// Returns the number of targets of a to-many relationship.
  mutating func count(of relationship: RelationshipReference, of object: ObjectKey) throws -> Int
  /// Returns whether an object is of an entity or of a descendant of it.
  mutating func isKind(_ object: ObjectKey, of entity: Int) throws -> Bool
}

extension ObjectSource {
  package mutating func link(of relationship: RelationshipReference, of object: ObjectKey) throws -> ObjectID? {
    try target(of: relationship, of: object)
  }

  package mutating func isKind(_ object: ObjectKey, of entity: Int) throws -> Bool { object.entity == entity }
}

extension ResolvedPath {
  /// Returns the value of the path for an object, or null if a relationship on it is empty.
  ///
  /// - Precondition: The path has to-one relationships only.
  package func value(of object: ObjectKey, in source: inout some ObjectSource) throws -> Value {
    var object = object
    for step in steps {
      guard let id = try source.target(of: step.relationship, of: object) else { return .null }
      object = ObjectKey(entity: step.target, id: id)
    }
    return try fieldValue(of: object, in: &source)
  }

  /// Returns all values of the path, in the order of the relationships.
  ///
  /// A path over to-one relationships only has exactly one value. An object that is reached over several paths counts
  /// once for each.
  package func values(of object: ObjectKey, in source: inout some ObjectSource) throws -> [Value] {
    guard isMany else { return [try value(of: object, in: &source)] }
    var values: [Value] = []
    _ = try forEach(from: object, in: &source) { value in
      values.append(value)
      return true
    }
    return values
  }

  /// Calls the body with each value, until the body returns `false`.
  ///
  /// For an empty to-one step after the last to-many step, the value is null.
  ///
  /// - Returns: Whether the body never returned `false`.
  package func forEach<Source: ObjectSource>(
    from object: ObjectKey, in source: inout Source, _ body: (Value) throws -> Bool
  ) throws -> Bool {
    try walk(from: object, step: 0, in: &source) { end, source in
      try body(end.map { try fieldValue(of: $0, in: &source) } ?? .null)
    }
  }

  /// Calls the body with each object that the path reaches, until the body returns `false`.
  ///
  /// - Precondition: The last step is to-many.
  /// - Returns: Whether the body never returned `false`.
  func forEachObject<Source: ObjectSource>(
    from object: ObjectKey, in source: inout Source, _ body: (ObjectKey, inout Source) throws -> Bool
  ) throws -> Bool {
    try walk(from: object, step: 0, in: &source) { end, source in
      guard let end else { preconditionFailure("a path whose last step is to-many ends at objects") }
      return try body(end, &source)
    }
  }

  /// Calls the body with each object at the end of the path, and with `nil` for an empty to-one step after the last
  /// to-many step.
  private func walk<Source: ObjectSource>(
    from object: ObjectKey, step index: Int, in source: inout Source,
    _ body: (ObjectKey?, inout Source) throws -> Bool
  ) throws -> Bool {
    guard index < steps.count else { return try body(object, &source) }
    let step = steps[index]
    if step.isMany {
      for id in try source.targets(of: step.relationship, of: object) {
        let next = ObjectKey(entity: step.target, id: id)
        guard try walk(from: next, step: index + 1, in: &source, body) else { return false }
      }
      return true
    }
    guard let id = try source.target(of: step.relationship, of: object) else {
      // With a to-many step ahead there are no objects; after the last one there is an object without a value.
      return try steps[index...].contains(where: \.isMany) || body(nil, &source)
    }
    let next = ObjectKey(entity: step.target, id: id)
    return try walk(from: next, step: index + 1, in: &source, body)
  }

  private func fieldValue(of object: ObjectKey, in source: inout some ObjectSource) throws -> Value {
    switch field {
    case .id: return .uuid(object.id)
    case .target(let number):
      let relationship = RelationshipReference(entity: end, relationship: number)
      return try source.link(of: relationship, of: object).map { .uuid($0) } ?? .null
    case .attribute, .createdAt, .changedAt, .entity, .place: return try source.value(of: field, of: object)
    }
  }

  /// Returns the number of objects that the path reaches.
  func count(from object: ObjectKey, in source: inout some ObjectSource) throws -> Int {
    try count(from: object, step: 0, in: &source)
  }

  private func count(from object: ObjectKey, step index: Int, in source: inout some ObjectSource) throws -> Int {
    guard index < steps.count else { return 1 }
    let step = steps[index]
    if !step.isMany {
      guard let id = try source.target(of: step.relationship, of: object) else { return 0 }
      return try count(from: ObjectKey(entity: step.target, id: id), step: index + 1, in: &source)
    }
    if index == steps.count - 1 { return try source.count(of: step.relationship, of: object) }
    var total = 0
    for id in try source.targets(of: step.relationship, of: object) {
      total += try count(from: ObjectKey(entity: step.target, id: id), step: index + 1, in: &source)
    }
    return total
  }
}
