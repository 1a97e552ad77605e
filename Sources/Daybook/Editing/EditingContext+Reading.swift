import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

extension EditingContext {
  /// Calls a closure with a reader of the context's state.
  func withTip<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    switch ground {
    case .context(let context): return try context.withTip { try body($0.adding(pending)) }
    case .store(let store):
      return try store.read { reader in
        try base.extend(to: reader, limitInBytes: store.options.viewOfPastLimitInBytes)
        let below = base.reader(over: reader.reader).reading(largeValues: largeValues)
        return try body(below.adding(pending))
      }
    }
  }

  /// Returns an object with its pending edits, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError`: `expired` if too much has changed in the store since ``position``, as from all methods
  ///   that read.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    let pending = try locked { try withTip { tip in try tip.find(id).flatMap { try tip.object($0) } } }
    return try pending ?? store.keeper.readDerived(id) { try $0.get(id) } ?? nil
  }

  /// Returns the large value with a digest that an edit has set or that the store has, or `nil` if neither has it.
  ///
  /// The bytes of a pending value stay readable through the returned reference when the edits are cancelled.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  /// - Complexity: O(log *n*)
  package func largeValue(_ sha256: Digest) throws -> LargeValue? {
    try largeValues.pending(sha256) ?? store.largeValue(sha256)
  }

  /// Returns the result of a request with the pending edits, at the position of the context.
  ///
  /// The objects of a projection are the ones at its checkpoint, without the edits.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks; `badValue`; `expired`.
  public func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row> {
    if let derived = try store.keeper.readDerived(of: request.fetch.entity, { try $0.fetch(request.fetch) }) {
      return try rows(of: derived, request, from: self)
    }
    let objects = try locked {
      try withTip { try $0.fetch(request.fetch, at: root.base.position, usesConstraints: false) }
    }
    return try rows(of: objects, request, from: self)
  }

  /// Returns the targets of a relationship, in their order if it is ordered, else by id.
  ///
  /// - Throws: `StoreError`: `notFound` if the object or the relationship does not exist; `expired`.
  public func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    let pending = try locked {
      try withTip { tip in
        try tip.find(id).map { key in
          try tip.targets(of: tip.model.requireRelationship(relationship, of: key.entity), from: id)
        }
      }
    }
    if let targets = try pending ?? store.keeper.readDerived(id, { try $0.targets(of: id, relationship) }) {
      return targets
    }
    throw StoreError(.notFound, "There is no object \(id).")
  }

  /// Makes a live result of a request that includes the pending edits.
  ///
  /// The objects of a projection have no edits: their live result is the one of the store.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks; `expired`, `closed`.
  /// - Complexity: O(*n* log *n*) for *n* rows.
  public func liveResults<Row: ResultRow>(of request: Request<Row>) throws -> LiveResults<Row> {
    if try store.keeper.readDerived(of: request.fetch.entity, { _ in true }) != nil {
      return try store.liveResults(of: request)
    }
    let results = try locked { try withTip { try ContextResults(request.fetch, of: self, over: $0) } }
    return LiveResults(results, of: request)
  }

  /// Returns an object with its pending edits, or `nil` if it does not exist.
  ///
  /// Its related objects are read from the context in the context's state at that time.
  ///
  /// - Throws: `StoreError`: `badValue` if it is of another entity, or a value does not fit its property; `expired`.
  public func get<Object: Fetchable>(_ id: EntityID<Object>) throws -> Record<Object>? {
    try get(id.objectID).map { try RowSource(self).row($0) }
  }
}

extension EditingContext: ObjectReader {}

/// A context in its present state, from which rows read related objects.
extension EditingContext: RowOrigin, RowOrigins {
  func origin(at position: Position) -> any RowOrigin { self }

  func objects(_ ids: [ObjectID]) throws -> [StoredObject] { try ids.compactMap { try get($0) } }
}
