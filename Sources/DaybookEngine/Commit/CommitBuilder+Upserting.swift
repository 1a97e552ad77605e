import DaybookModel

/// The verb that changes the object with given unique values, or inserts one.
extension CommitBuilder {
  /// Changes the object that has the given values of a uniqueness constraint, or inserts an object.
  ///
  /// The object is searched in the state with the verbs so far. If one of the constraint's values is null, no object
  /// is equal to the given one, and an object is inserted.
  ///
  /// - Parameters:
  ///   - name: The entity.
  ///   - key: The attributes and to-one relationships of one uniqueness constraint, in any order.
  ///   - values: Attributes, with the key's. What they leave out stays as it is in an object that exists.
  ///   - links: Relationships, with the key's. The target of a to-one relationship replaces the former one,
  ///     and no target removes it; targets of a to-many relationship are added.
  /// - Returns: The object, and whether it was inserted.
  /// - Throws: `StoreError`: `badRequest` if the key is no uniqueness constraint, or has no value; `constraint` if an
  ///   object of another entity of the hierarchy has the values; the errors of `insert`, `set` and `relate`.
  package func upsert(
    _ name: String, key: [String], _ values: [(key: String, value: Value)],
    links: [(relationship: String, targets: [ObjectID])] = []
  ) throws -> (id: ObjectID, isNew: Bool) {
    try perform {
      let number = try requireEntity(name)
      let found = try object(of: number, key: key, values, links: links)
      let id: ObjectID
      if let found {
        guard isKind(found, of: number) else { throw other(found, than: number, key) }
        id = found.id
        try set(id, values)
      } else {
        id = try insert(name, values, id: nil)
      }
      for link in links { try connect(id, of: number, link.relationship, link.targets) }
      return (id, found == nil)
    }
  }

  /// Returns the object of an entity that has the given values of a uniqueness constraint, or `nil` if none has them or
  /// one is null.
  ///
  /// The parameters are as in ``upsert(_:key:_:links:)``, and so are the errors of the key.
  package func object(
    of name: String, key: [String], _ values: [(key: String, value: Value)],
    links: [(relationship: String, targets: [ObjectID])] = []
  ) throws -> ObjectID? {
    try perform {
      let number = try requireEntity(name)
      let found = try object(of: number, key: key, values, links: links)
      return found.flatMap { isKind($0, of: number) ? $0.id : nil }
    }
  }

  private func object(
    of entity: Int, key: [String], _ values: [(key: String, value: Value)],
    links: [(relationship: String, targets: [ObjectID])]
  ) throws -> ObjectKey? {
    guard let key = try UniqueKey(key, of: model.entities[entity], values, links) else { return nil }
    return try fold.holder(of: key, entity: entity)
  }

  private func isKind(_ object: ObjectKey, of entity: Int) -> Bool {
    model.entities[object.entity].isKind(of: model.entities[entity])
  }

  private func other(_ object: ObjectKey, than entity: Int, _ key: [String]) -> StoreError {
    let (own, name) = (model.entities[object.entity].name, model.entities[entity].name)
    return StoreError(
      .constraint, "\(own) \(object.id) has the values of \(key.joined(separator: ", ")), and it is no \(name).",
      advice: "Upsert a \(own), or give other values.")
  }

  private func connect(_ id: ObjectID, of entity: Int, _ name: String, _ targets: [ObjectID]) throws {
    let reference = try model.requireRelationship(name, of: entity)
    if model[reference].isMany {
      for target in targets { try relate(id, name, to: target, at: .unspecified) }
      return
    }
    let former = try fold.targets(of: reference, from: id).first
    if let target = targets.first {
      if target != former { try relate(id, name, to: target, at: .unspecified) }
    } else if let former {
      try unrelate(id, name, from: former)
    }
  }
}
