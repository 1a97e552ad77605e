import DaybookEngine
import DaybookModel
import DaybookRuntime

/// The verbs of a write with the names of the model, for programs without structs.
///
///     try store.write(author: "editor") { tx in
///       let dessert = try tx.insert("RecipeType", ["name": "Dessert"])
///       let cake = try tx.insert("Recipe", ["name": "Cake"])
///       try tx.relate(cake, "type", to: dessert)
///     }
///
/// In an editing context each of them also throws the errors of ``EditingContext/edit(_:)``.
extension ObjectWriter where Self: ~Copyable {
  /// Inserts an object.
  ///
  /// - Parameters:
  ///   - entity: The name of its entity.
  ///   - values: Its attributes; an attribute that is left out has its default, or null.
  ///   - id: Its identity; `nil` makes a new one. A deleted object may be inserted again, in its own entity.
  /// - Returns: The identity.
  /// - Throws: `StoreError`: `notFound` for an entity or attribute that the model lacks, `badValue`, `exists` if an
  ///   object has this identity.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func insert(_ entity: String, _ values: [String: Value] = [:], id: ObjectID? = nil) throws -> ObjectID {
    try edit { try $0.insert(entity, values, id: id) }
  }

  /// Changes the object that has the given values of a uniqueness constraint, or inserts one.
  ///
  ///     try tx.upsert("Recipe", key: ["name"], ["name": "Cake", "servings": 8])
  ///
  /// The object is searched in the state with the verbs so far. Equal values and links are no change, so the same call
  /// twice writes nothing the second time. A null among the key's values is equal to no other, so it inserts an object.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity.
  ///   - key: The attributes and to-one relationships of exactly one uniqueness constraint, in any order.
  ///   - values: Attributes, with the key's. An attribute that is left out stays as it is in an object that
  ///     exists, and has its default in a new one.
  ///   - links: The targets of relationships, with the key's. The target of a to-one relationship replaces
  ///     the former one, and an empty list removes it; targets of a to-many relationship are added, none is removed.
  /// - Returns: The identity of the object.
  /// - Throws: `StoreError`: `badRequest` if the key is no uniqueness constraint or lacks a value; the errors of
  ///   `insert`, `set` and `relate`.
  /// - Complexity: O(log *n*) for each value and link.
  @discardableResult
  public func upsert(
    _ entity: String, key: [String], _ values: [String: Value], links: [String: [ObjectID]] = [:]
  ) throws -> ObjectID {
    try edit { tx in
      try tx.upsert(
        entity, key: key, values.map { ($0.key, $0.value) },
        links: links.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
  }

  /// Changes the name of an object: the attribute that the model declares as the name.
  ///
  /// - Throws: `StoreError`: `notFound` if the object does not exist; `badValue` if its entity has no name attribute.
  /// - Complexity: O(log *n*), and more if indexes of other entities contain the name.
  public func rename(_ id: ObjectID, to name: String) throws {
    try edit { try $0.rename(id, to: name) }
  }

  /// Changes attributes of an object; null clears an optional one.
  ///
  /// A change of the name attribute is recorded as a rename.
  ///
  /// - Throws: `StoreError`: `notFound`, `badValue`.
  public func set(_ id: ObjectID, _ values: [String: Value]) throws {
    try edit { try $0.set(id, values) }
  }

  /// Links two objects.
  ///
  /// A to-one relationship drops its former target; taking the partner of a one-to-one relationship first unrelates the
  /// partner from its former owner. Objects that are linked already stay linked; if a place is given, the target moves
  /// there.
  ///
  /// - Parameters:
  ///   - id: The first object.
  ///   - relationship: A relationship of the first object's entity, from either side.
  ///   - target: The other object.
  ///   - place: The place among the targets of an ordered relationship.
  /// - Throws: `StoreError`: `notFound`, `badValue` if the target is of another entity, or if a place is given for a
  ///   relationship that is not ordered.
  public func relate(_ id: ObjectID, _ relationship: String, to target: ObjectID, at place: Place = .unspecified) throws
  {
    try edit { try $0.relate(id, relationship, to: target, at: place) }
  }

  /// Removes the link between two objects; does nothing if they are not linked.
  ///
  /// - Throws: `StoreError` with the code `notFound`.
  public func unrelate(_ id: ObjectID, _ relationship: String, from target: ObjectID) throws {
    try edit { try $0.unrelate(id, relationship, from: target) }
  }

  /// Deletes an object and the objects that its delete rules include.
  ///
  /// - Throws: `StoreError`: `notFound`; `constraint` if a rule denies the delete, or if a remaining object would lose
  ///   a required relationship.
  /// - Complexity: O(*k* log *n*) for *k* deleted objects and links; deep and cyclic cascades need no more.
  public func delete(_ id: ObjectID) throws {
    try edit { try $0.delete(id) }
  }

  /// Records a named event about an object: something that happened, in the words of the application.
  ///
  ///     try tx.record("RecipeCooked", about: cake, ["servings": 6])
  ///
  /// The event changes nothing, but it is in the journal, in the object's history, and in the events that projections
  /// apply. It may be alone in its commit, or with the changes that it explains. Reverts leave it as it is.
  ///
  /// - Parameters:
  ///   - event: The name of an event in the model.
  ///   - id: An object of the entity that the event is about, which exists, or existed, or is inserted in the same
  ///     commit; the end of the write throws `notFound` for any other.
  ///   - values: Its attributes; an attribute that is left out has its default, or no value if it is optional.
  /// - Throws: `StoreError`: `notFound` for an event or attribute that the model lacks, `badValue`, `constraint` for a
  ///   required attribute without a value.
  /// - Complexity: O(log *n*).
  public func record(_ event: String, about id: ObjectID, _ values: [String: Value] = [:]) throws {
    try edit { try $0.record(event, about: id, values) }
  }

  /// Changes attributes of all objects that match a request; null clears an optional one.
  ///
  ///     try tx.set(where: Request(entity: "Recipe", filter: Filter(parsing: "servings > 8")), ["servings": 8])
  ///
  /// The objects are found before the first of them changes, so a change does not add objects to the result or remove
  /// some. A limit and an offset of the request count, its sections do not. An object that has the values already gets no
  /// event.
  ///
  /// - Returns: The number of objects that match.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `notFound` for an unknown attribute,
  ///   `badValue`; `tooLarge` if the commit exceeds its limits, which fails all of it.
  /// - Complexity: O(*k* log *n*) for *k* objects that match, and the cost of finding them.
  @discardableResult
  public func set(where request: Request<some ResultRow>, _ values: [String: Value]) throws -> Int {
    try edit { try $0.set(where: request.fetch, values) }
  }

  /// Deletes all objects that match a request, and the objects that their delete rules include.
  ///
  /// They are deleted together: a rule that denies the deletion of an object while another one exists does not count if
  /// the other one is deleted too. A limit and an offset of the request count.
  ///
  /// - Returns: The number of objects that match.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks; `constraint` if a rule denies a
  ///   delete, or if a remaining object would lose a required relationship; `tooLarge` if the commit exceeds its limits,
  ///   which fails all of it.
  /// - Complexity: O(*k* log *n*) for *k* deleted objects and links, and the cost of finding the objects.
  @discardableResult
  public func delete(where request: Request<some ResultRow>) throws -> Int {
    try edit { try $0.delete(where: request.fetch) }
  }
}
