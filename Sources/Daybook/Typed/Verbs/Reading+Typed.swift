import DaybookModel

/// Reading objects as structs.
extension Reading where Self: ~Copyable {
  /// Reads objects with what they are asked to bring along.
  ///
  /// - Parameter origin: Where the rows of a position read related objects later.
  func results<Object: Storable>(
    of request: EntityRequest<Object>, origin: (Position) -> RowSource.Origin
  ) throws -> EntityResults<Object> {
    let fetched = try fetch(request.request)
    let ids = request.prefetched.isEmpty ? [] : fetched.sections.flatMap { $0.objects.map(\.id) }
    let prefetched = try Prefetched(
      from: ids, along: request.prefetched, targets: { try targets(of: $0, $1) }, object: { try get($0) })
    return try EntityResults(fetched, source: RowSource(origin(fetched.position), prefetched: prefetched))
  }

  /// The objects that a to-many relationship leads to, in their order if it has one, else by id.
  public func targets<Object: Storable, Target: Storable>(
    of id: EntityID<Object>, _ relationship: KeyPath<Object.Fields, ToManyField<Target>>
  ) throws -> [EntityID<Target>] {
    try targets(of: id.objectID, Object.name(of: relationship)).map { EntityID($0) }
  }

  /// The object that a to-one relationship leads to, or nil if there is none.
  public func target<Object: Storable, Target: Storable>(
    of id: EntityID<Object>, _ relationship: KeyPath<Object.Fields, ToOneField<Target>>
  ) throws -> EntityID<Target>? {
    try targets(of: id.objectID, Object.name(of: relationship)).first.map { EntityID($0) }
  }
}

extension Transaction {
  /// The object of an identity as this write leaves it, or nil if there is none.
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is of another entity, or a value does not fit its property.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try get(id.objectID).map { try Stored($0, source: RowSource(.nowhere)) }
  }

  /// The answer to a request as this write leaves it.
  ///
  /// Its rows cannot read related objects by themselves, but have those that the request prefetches.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` where a stored value
  ///   does not fit.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try results(of: request) { _ in .nowhere }
  }
}

extension EditingContext {
  /// The object of an identity with its pending edits, or nil if there is none.
  ///
  /// Related objects are read from the context, as it is when they are asked for.
  ///
  /// - Throws: `StoreError`: `badValue` if it is of another entity, or a value does not fit its property; `expired`.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try get(id.objectID).map { try Stored($0, source: RowSource(.context(self))) }
  }

  /// The answer to a request with the pending edits.
  ///
  /// - Throws: `StoreError`: `badRequest`, `badValue`, `expired`.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try results(of: request) { _ in .context(self) }
  }
}

extension Store {
  /// The object of an identity, or nil if there is none.
  ///
  ///     let cake = try store.get(id)
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is of another entity, or a value does not fit its property.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try read { try $0.get(id, in: self) }
  }

  /// The answer to a request.
  ///
  ///     let recipes = try store.fetch(Recipe.where { $0.servings > 4 }.sorted(by: \.name))
  ///
  /// - Throws: `StoreError`: `badRequest` if the store's model lacks what the request names; `badValue` if a value does
  ///   not fit its property.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try read { try $0.fetch(request, in: self) }
  }

  /// The number of objects that meet a request, within its limit and offset.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  public func count<Object>(_ request: EntityRequest<Object>) throws -> Int {
    try read { try $0.count(request.request) }
  }
}

extension PastStore {
  /// The object of an identity, or nil if there was none.
  ///
  /// - Throws: `StoreError`: `badValue` where a stored value does not fit its property, `closed`, `damaged`.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try read { try $0.get(id, in: store) }
  }

  /// The answer to a request.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` where a stored value
  ///   does not fit its property, `closed`, `damaged`.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try read { try $0.fetch(request, in: store) }
  }

  /// The number of objects that met a request, within its limit and offset.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  public func count<Object>(_ request: EntityRequest<Object>) throws -> Int {
    try read { try $0.count(request.request) }
  }
}

extension StoreReader {
  /// The object of an identity, or nil if there is none.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - store: The store that is read, in which the object finds related ones later.
  /// - Throws: `StoreError`: `badValue` where a stored value does not fit its property, `closed`, `damaged`.
  public func get<Object: Storable>(_ id: EntityID<Object>, in store: Store) throws -> Stored<Object>? {
    try get(id.objectID).map { try Stored($0, source: RowSource(.past(store.at(position)))) }
  }

  /// The answer to a request.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - store: The store that is read, in which the rows find related objects later.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` where a stored value
  ///   does not fit its property, `closed`, `damaged`.
  public func fetch<Object: Storable>(
    _ request: EntityRequest<Object>, in store: Store
  ) throws -> EntityResults<Object> {
    try results(of: request) { .past(store.at($0)) }
  }
}
