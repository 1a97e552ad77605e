import DaybookEngine
import DaybookModel
import DaybookRuntime

/// A receiver of the verbs of a write: a transaction or an editing context.
///
/// The typed verbs are extensions of this protocol. In an editing context each of them is one step, even if it makes
/// several events: inserting a struct with links is undone at once.
public protocol ObjectWriter: ObjectReader, ~Copyable {
  /// Runs several verbs as one.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: Any error of `body`.
  @discardableResult
  func edit<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result
}

/// The typed verbs of a write.
///
///     try store.write(author: "editor") { tx in
///       let dessert = try tx.insert(RecipeType(name: "Dessert"))
///       let cake = try tx.insert(Recipe(name: "Cake"))
///       try tx.relate(cake, \.type, to: dessert)
///       try tx.set(cake, \.servings, 8)
///     }
///
/// They have the same effects and throw the same errors as the untyped verbs.
extension ObjectWriter where Self: ~Copyable {
  /// Inserts an object with a value's attributes and links.
  ///
  /// - Parameters:
  ///   - value: The values and links of the object.
  ///   - id: Its identity; `nil` makes a new one.
  /// - Throws: `StoreError`: `badValue`, `exists` if an object has this identity, `notFound` for a link to an object
  ///   that does not exist.
  @discardableResult
  public func insert<Object: Storable>(_ value: Object, id: EntityID<Object>? = nil) throws -> EntityID<Object> {
    var values = ObjectValues()
    try value.write(to: &values)
    return EntityID(
      try edit { tx in
        let id = try tx.insert(Object.entityName, values.attributes, id: id?.objectID)
        for (name, target) in values.links {
          if let target { try tx.relate(id, name, to: target) }
        }
        for (name, targets) in values.lists {
          for target in targets { try tx.relate(id, name, to: target) }
        }
        return id
      })
  }

  /// Changes the object that has a value's unique fields to the value, or inserts it.
  ///
  ///     let cake = try tx.upsert(Recipe(name: "Cake", servings: 8), by: \.name)
  ///
  /// An object that exists gets all attributes and to-one links of the value, as with `set(_:to:)`; its to-many links
  /// are added. Equal ones are no change. An optional field of the key that is `nil` is equal to no other, so the value
  /// is inserted.
  ///
  /// - Parameters:
  ///   - value: The values and links of the object.
  ///   - key: The attributes and to-one relationships of exactly one uniqueness constraint, in any order.
  /// - Throws: `StoreError`: `badRequest` if the key is no uniqueness constraint, `badValue`, `notFound` for a link to
  ///   an object that does not exist.
  @discardableResult
  public func upsert<Object: Storable, each Key: FieldReference>(
    _ value: Object, by key: repeat KeyPath<Object.Fields, each Key>
  ) throws -> EntityID<Object> {
    var names: [String] = []
    repeat names.append(try Object.name(of: each key))
    var values = ObjectValues()
    try value.write(to: &values)
    return EntityID(
      try edit { tx in
        try tx.upsert(
          Object.entityName, key: names, values.attributes.map { ($0.key, $0.value) },
          links: values.links.map { ($0.0, $0.1.map { [$0] } ?? []) } + values.lists.map { ($0.0, $0.1) })
      })
  }

  /// Changes the name of an object.
  public func rename<Object: Storable>(_ id: EntityID<Object>, to name: String) throws {
    try edit { try $0.rename(id.objectID, to: name) }
  }

  /// Changes an attribute of an object.
  ///
  ///     try tx.set(cake, \.note, nil)
  public func set<Object: Storable, Value: AttributeValue>(
    _ id: EntityID<Object>, _ field: KeyPath<Object.Fields, Field<Value>>, _ value: Value
  ) throws {
    let values = [try Object.name(of: field): try value._storedValue()]
    try edit { try $0.set(id.objectID, values) }
  }

  /// Sets the attributes and to-one links of an object to a value's; equal ones are no change.
  ///
  /// To-many links are unchanged: use `relate` and `unrelate` for them.
  public func set<Object: Storable>(_ id: EntityID<Object>, to value: Object) throws {
    var values = ObjectValues()
    try value.write(to: &values)
    try edit { tx in
      try tx.set(id.objectID, values.attributes)
      for (name, target) in values.links {
        let present = try tx.targets(of: id.objectID, name).first
        if let target, target != present { try tx.relate(id.objectID, name, to: target) }
        if target == nil, let present { try tx.unrelate(id.objectID, name, from: present) }
      }
    }
  }

  /// Writes a value back that was read and changed.
  ///
  /// Writes all its attributes and to-one links, which overwrites commits that changed them since.
  public func set<Object: Storable>(_ object: Record<Object>) throws {
    try set(object.id, to: object.value)
  }

  /// Links an object by a relationship; a to-one relationship drops its former target.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - relationship: A relationship of its entity.
  ///   - target: The object to link it to.
  ///   - place: The place among the targets of an ordered relationship, such as `.before(sugar)`.
  public func relate<Object: Storable, Relationship: RelationshipField>(
    _ id: EntityID<Object>, _ relationship: KeyPath<Object.Fields, Relationship>,
    to target: EntityID<Relationship.Target>, at place: Place = .unspecified
  ) throws {
    let name = try Object.name(of: relationship)
    try edit { try $0.relate(id.objectID, name, to: target.objectID, at: place) }
  }

  /// Removes the link between two objects; does nothing if they are not linked.
  public func unrelate<Object: Storable, Relationship: RelationshipField>(
    _ id: EntityID<Object>, _ relationship: KeyPath<Object.Fields, Relationship>,
    from target: EntityID<Relationship.Target>
  ) throws {
    let name = try Object.name(of: relationship)
    try edit { try $0.unrelate(id.objectID, name, from: target.objectID) }
  }

  /// Deletes an object and the objects that its delete rules include.
  public func delete<Object: Storable>(_ id: EntityID<Object>) throws {
    try edit { try $0.delete(id.objectID) }
  }

  /// Changes an attribute of all objects that match a request; see ``set(where:_:)``.
  ///
  ///     try tx.set(where: Recipe.where { $0.servings > 8 }, \.servings, 8)
  ///
  /// - Returns: The number of objects that match.
  @discardableResult
  public func set<Object: Storable, Value: AttributeValue>(
    where request: Request<Record<Object>>, _ field: KeyPath<Object.Fields, Field<Value>>, _ value: Value
  ) throws -> Int {
    let values = [try Object.name(of: field): try value._storedValue()]
    return try edit { try $0.set(where: request.fetch, values) }
  }
}
