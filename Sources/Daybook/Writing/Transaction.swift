import DaybookModel
import DaybookQuery

/// What happens in one commit: the verbs of a write.
///
///     try store.write(author: "editor") { tx in
///       let dessert = try tx.insert("RecipeType", ["name": "Dessert"])
///       let cake = try tx.insert("Recipe", ["name": "Cake"])
///       try tx.relate(cake, "type", to: dessert)
///     }
///
/// Each verb sees what the ones before it did. A verb that changes nothing writes no event. Required values, required
/// relationships, uniqueness and sums that fit their type are checked when the closure returns, so they may be broken in
/// between; an error that leaves the closure leaves no trace of the whole commit.
///
/// A closure may catch the `StoreError` of a verb that refuses (an object that does not exist, a value of the wrong type,
/// a delete that a rule denies): the verb has changed nothing then. An error that interrupts a verb half way, such as a
/// commit that grows too large during a delete, fails the commit: each later verb throws it again, and so does the write,
/// even if the closure catches it.
///
/// A transaction lives in the closure that it was given to and on that closure's thread.
public struct Transaction: ~Copyable {
  let builder: CommitBuilder

  // Never inlined: the optimiser of Swift 6.3 aborts where it copies code into which this was inlined, as the value
  // cannot be copied.
  @inline(never)
  init(builder: CommitBuilder) {
    self.builder = builder
  }

  /// The position that the commit will have.
  public var position: Position { builder.writer.position }

  /// The time that inserted and changed objects take: when it happened, else when it is recorded.
  public var time: Timestamp { builder.writer.time }

  /// The model of the store.
  public var model: Model { builder.model.model }

  package var resolvedModel: ResolvedModel { builder.model }

  /// The entity of an object.
  ///
  /// - Throws: `StoreError` with the code `notFound` if there is no such object.
  package func requireEntity(of id: ObjectID) throws -> ResolvedEntity {
    resolvedModel.entities[try builder.require(id).entity]
  }

  /// Inserts an object.
  ///
  /// - Parameters:
  ///   - entity: The name of its entity.
  ///   - values: Its attributes; one that is left out has its default, or null.
  ///   - id: Its identity; nil makes a new one. An object that was deleted may come back to its own entity.
  /// - Returns: The identity.
  /// - Throws: `StoreError`: `notFound` for an entity or attribute that the model lacks, `badValue`, `exists` if an
  ///   object has this identity.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func insert(
    _ entity: String, _ values: KeyValuePairs<String, Value> = [:], id: ObjectID? = nil
  ) throws -> ObjectID {
    let id = try builder.perform { try builder.insert(entity, values, id: id) }
    builder.note(.insert(entity: entity, values: Array(values), id: id))
    return id
  }

  /// Inserts an object with values that were put together at run time.
  ///
  /// - Throws: `StoreError`: `notFound` for an entity that the model lacks, `badValue`, `exists` if an object has
  ///   this identity.
  @discardableResult
  public func insert(_ entity: String, values: [String: Value], id: ObjectID? = nil) throws -> ObjectID {
    let id = try builder.perform { try builder.insert(entity, values, id: id) }
    builder.note(.insert(entity: entity, values: Array(values), id: id))
    return id
  }

  /// Changes the name of an object: the attribute that the model declares as the name.
  ///
  /// - Throws: `StoreError`: `notFound` if there is no such object; `badValue` if its entity has no name attribute.
  /// - Complexity: O(log *n*), and more where views of other entities reach the name.
  public func rename(_ id: ObjectID, to name: String) throws {
    try builder.perform { try builder.rename(id, to: name) }
    builder.note(.rename(id, to: name))
  }

  /// Changes attributes of an object; null clears an optional one.
  ///
  /// A change of the name attribute is recorded as a rename.
  ///
  /// - Throws: `StoreError`: `notFound`, `badValue`.
  public func set(_ id: ObjectID, _ values: KeyValuePairs<String, Value>) throws {
    try builder.perform { try builder.set(id, values) }
    builder.note(.set(id, values: Array(values)))
  }

  /// Changes attributes of an object to values that were put together at run time.
  ///
  /// - Throws: `StoreError`: `notFound`, `badValue`.
  public func set(_ id: ObjectID, values: [String: Value]) throws {
    try builder.perform { try builder.set(id, values) }
    builder.note(.set(id, values: Array(values)))
  }

  /// Links two objects.
  ///
  /// A to-one relationship lets its former target go; taking the partner of a one-to-one relationship unrelates the
  /// partner's former one first. Objects that are linked already stay so, unless a place is given: then the target
  /// moves there.
  ///
  /// - Parameters:
  ///   - id: The first object.
  ///   - relationship: A relationship of the first object's entity, from either side.
  ///   - target: The other object.
  ///   - place: Where among the targets of an ordered relationship.
  /// - Throws: `StoreError`: `notFound`, `badValue` if the target is of another entity, or a place is given where there
  ///   is no order.
  public func relate(_ id: ObjectID, _ relationship: String, to target: ObjectID, at place: Place = .unspecified) throws
  {
    try builder.perform { try builder.relate(id, relationship, to: target, at: place) }
    builder.note(.relate(id, relationship: relationship, to: target, at: place))
  }

  /// Removes the link between two objects; does nothing if there is none.
  ///
  /// - Throws: `StoreError` with the code `notFound`.
  public func unrelate(_ id: ObjectID, _ relationship: String, from target: ObjectID) throws {
    try builder.perform { try builder.unrelate(id, relationship, from: target) }
    builder.note(.unrelate(id, relationship: relationship, from: target))
  }

  /// Deletes an object, and what its delete rules say.
  ///
  /// - Throws: `StoreError`: `notFound`; `constraint` if a rule denies it, or an object that stays would lose a required
  ///   relationship.
  /// - Complexity: O(*k* log *n*) for *k* objects and links that go; deep and cyclic cascades need no more.
  public func delete(_ id: ObjectID) throws {
    try delete(together: [id])
  }

  /// Deletes several objects as one: what a delete rule says of one of them does not count against the others.
  func delete(together ids: [ObjectID]) throws {
    guard let first = ids.first else { return }
    try builder.perform { try builder.delete(ids) }
    builder.note(.delete(first))
  }

  /// The object as this write leaves it, or nil if there is none.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    try builder.perform { try builder.get(id) }
  }

  /// The objects that a relationship leads to, in their order if it has one, else by id.
  ///
  /// - Throws: `StoreError` with the code `notFound` if there is no such object or relationship.
  public func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    try builder.perform { try builder.targets(of: id, relationship) }
  }

  /// The object that a text stands for; see ``StoreReader/resolve(_:includesDeleted:)``.
  public func resolve(_ part: String) throws -> ObjectID {
    if let id = ObjectID(part) { return id }
    return try builder.perform {
      try builder.fold.settle()
      return try builder.reader.resolve(part, includesDeleted: false)
    }
  }

  /// Ends the write if its task was cancelled.
  ///
  ///     try await store.write { tx in
  ///       for line in lines {
  ///         try tx.checkCancellation()
  ///         try tx.insert("Note", ["text": .string(line)])
  ///       }
  ///     }
  ///
  /// The closure of an asynchronous write runs on a thread of the store, where `Task.checkCancellation()` knows of no task;
  /// in a synchronous write both do the same.
  ///
  /// - Throws: `CancellationError`, which leaves no trace of the write if it leaves the closure.
  public func checkCancellation() throws {
    if builder.isCancelled?() ?? Task.isCancelled { throw CancellationError() }
  }

  /// The answer to a request as this write leaves it.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  public func fetch(_ request: FetchRequest) throws -> FetchedResults {
    try builder.perform { try builder.fetch(request) }
  }
}

/// A place among the targets of an ordered relationship.
public enum Place: Hashable, Sendable {
  /// Last for a new link; where it is for one that is there.
  case unspecified
  /// Behind all others.
  case last
  /// In front of another target.
  case before(ObjectID)
  /// Behind another target.
  case after(ObjectID)
}
