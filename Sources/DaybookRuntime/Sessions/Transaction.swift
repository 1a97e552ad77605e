import DaybookEngine
import DaybookModel

/// The verbs of a write, which together make one commit.
///
///     try store.write(author: "editor") { tx in
///       let dessert = try tx.insert("RecipeType", ["name": "Dessert"])
///       let cake = try tx.insert("Recipe", ["name": "Cake"])
///       try tx.relate(cake, "type", to: dessert)
///     }
///
/// Each verb sees the effects of the preceding ones. A verb that changes nothing writes no event. Required values,
/// required relationships, uniqueness and sums that fit their type are checked when the closure returns, so they may be
/// broken in between; if the closure throws, nothing of the commit is recorded.
///
/// A closure may catch the `StoreError` of a verb that is refused (an object that does not exist, a value of the wrong
/// type, a delete that a rule denies): such a verb has changed nothing. An error that interrupts a verb half way, such
/// as a commit that grows too large during a delete, fails the commit: each later verb throws it again, and so does the
/// write, even if the closure catches it.
///
/// Derived entities are read at the checkpoint of their projections, without the commit; only a projection writes them.
///
/// A transaction is valid only in its closure and on the closure's thread.
public struct Transaction: ~Copyable {
  package let builder: CommitBuilder
  /// Reads the state with the verbs so far.
  @usableFromInline let reader: StoreReader

  // Never inlined: the optimiser of Swift 6.3 aborts when it copies code into which this was inlined, as the value
  // cannot be copied.
  @inline(never)
  package init(builder: CommitBuilder) {
    self.builder = builder
    reader = StoreReader(pending: builder, source: builder.keeper)
  }

  /// The position that the commit will have.
  public var position: Position { builder.writer.position }

  /// The time of insertions and changes: ``CommitInfo/happenedAt``, else the recorded time.
  public var time: Timestamp { builder.writer.time }

  /// The model of the store.
  public var model: Model { builder.model.model }

  package var resolvedModel: ResolvedModel { builder.model }

  /// Returns the entity of an object.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object does not exist.
  package func requireEntity(of id: ObjectID) throws -> ResolvedEntity {
    try builder.requireEntity(of: id)
  }

  /// Inserts an object.
  @discardableResult
  package func insert(_ entity: String, _ values: [String: Value] = [:], id: ObjectID? = nil) throws -> ObjectID {
    try builder.insert(entity, values, id: id)
  }

  /// Changes the object that has the given values of a uniqueness constraint, or inserts one.
  package func upsert(
    _ entity: String, key: [String], _ values: [(key: String, value: Value)],
    links: [(relationship: String, targets: [ObjectID])] = []
  ) throws -> ObjectID {
    try builder.upsert(entity, key: key, values, links: links).id
  }

  /// Returns the object that has the given values of a uniqueness constraint, or `nil` if none has them or one is null.
  package func object(
    of entity: String, key: [String], _ values: [(key: String, value: Value)]
  ) throws -> ObjectID? {
    try builder.object(of: entity, key: key, values)
  }

  /// Changes the name of an object: the attribute that the model declares as the name.
  package func rename(_ id: ObjectID, to name: String) throws {
    try builder.rename(id, to: name)
  }

  /// Changes attributes of an object; null clears an optional one.
  package func set(_ id: ObjectID, _ values: [String: Value]) throws {
    try builder.set(id, values)
  }

  /// Links two objects.
  package func relate(_ id: ObjectID, _ relationship: String, to target: ObjectID, at place: Place = .unspecified)
    throws
  {
    try builder.relate(id, relationship, to: target, at: place)
  }

  /// Removes the link between two objects; does nothing if they are not linked.
  package func unrelate(_ id: ObjectID, _ relationship: String, from target: ObjectID) throws {
    try builder.unrelate(id, relationship, from: target)
  }

  /// Deletes an object and the objects that its delete rules include.
  package func delete(_ id: ObjectID) throws {
    try builder.delete([id])
  }

  /// Records a named event about an object: something that happened, in the words of the application.
  package func record(_ event: String, about id: ObjectID, _ values: [String: Value] = [:]) throws {
    try builder.recordEvent(event, about: id, values.map { ($0.key, $0.value) })
  }

  /// Throws if the task of the write was cancelled.
  ///
  ///     try await store.write { tx in
  ///       for line in lines {
  ///         try tx.checkCancellation()
  ///         try tx.insert("Note", ["text": .string(line)])
  ///       }
  ///     }
  ///
  /// The closure of an asynchronous write runs on a thread of the store, where `Task.checkCancellation()` finds no
  /// task; in a synchronous write both have the same effect.
  ///
  /// - Throws: `CancellationError`; if the closure rethrows it, nothing is written.
  public func checkCancellation() throws {
    if builder.isCancelled?() ?? Task.isCancelled { throw CancellationError() }
  }
}

extension Transaction: ObjectReader {
  /// Calls a closure with a reader of the state of this write: each read sees the effects of the verbs before it.
  ///
  /// - Throws: Any error of `body`.
  @inlinable
  public func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result { try body(reader) }
}
