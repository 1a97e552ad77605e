import DaybookModel

/// Typed reading of objects.
extension Reading where Self: ~Copyable {
  /// Reads objects together with the related objects that the request prefetches.
  ///
  /// - Parameter origin: Returns the state from which the rows of a position read related objects later.
  func results<Object: Storable>(
    of request: EntityRequest<Object>, origin: (Position) -> RowSource.Origin
  ) throws -> EntityResults<Object> {
    let fetched = try fetch(request.request)
    let ids = request.prefetched.isEmpty ? [] : fetched.sections.flatMap { $0.objects.map(\.id) }
    let prefetched = try Prefetched(
      from: ids, along: request.prefetched, targets: { try targets(of: $0, $1) }, object: { try get($0) })
    return try EntityResults(fetched, source: RowSource(origin(fetched.position), prefetched: prefetched))
  }

  /// Returns the targets of a to-many relationship, in its order if it has one, else by id.
  public func targets<Object: Storable, Target: Storable>(
    of id: EntityID<Object>, _ relationship: KeyPath<Object.Fields, ToManyField<Target>>
  ) throws -> [EntityID<Target>] {
    try targets(of: id.objectID, Object.name(of: relationship)).map { EntityID($0) }
  }

  /// Returns the target of a to-one relationship, or `nil` if it has none.
  public func target<Object: Storable, Target: Storable>(
    of id: EntityID<Object>, _ relationship: KeyPath<Object.Fields, ToOneField<Target>>
  ) throws -> EntityID<Target>? {
    try targets(of: id.objectID, Object.name(of: relationship)).first.map { EntityID($0) }
  }
}

extension Transaction {
  /// Returns an object in the state of this write, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is of another entity, or a value does not fit its property.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try get(id.objectID).map { try Stored($0, source: RowSource(.nowhere)) }
  }

  /// Returns the result of a request in the state of this write.
  ///
  /// Its rows cannot read related objects themselves, but contain the objects that the request prefetches.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try results(of: request) { _ in .nowhere }
  }
}

extension EditingContext {
  /// Returns an object with its pending edits, or `nil` if it does not exist.
  ///
  /// Its related objects are read from the context in the context's state at that time.
  ///
  /// - Throws: `StoreError`: `badValue` if it is of another entity, or a value does not fit its property; `expired`.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try get(id.objectID).map { try Stored($0, source: RowSource(.context(self))) }
  }

  /// Returns the result of a request with the pending edits.
  ///
  /// - Throws: `StoreError`: `badRequest`, `badValue`, `expired`.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try results(of: request) { _ in .context(self) }
  }
}

extension Store {
  /// Returns an object, or `nil` if it does not exist.
  ///
  ///     let cake = try store.get(id)
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is of another entity, or a value does not fit its property.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try read { try $0.get(id, in: self) }
  }

  /// Returns the result of a request.
  ///
  ///     let recipes = try store.fetch(Recipe.where { $0.servings > 4 }.sorted(by: \.name))
  ///
  /// - Throws: `StoreError`: `badRequest` if the store's model lacks what the request names; `badValue` if a value does
  ///   not fit its property.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try read { try $0.fetch(request, in: self) }
  }

  /// Returns the number of objects that match a request, within its limit and offset.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  public func count<Object>(_ request: EntityRequest<Object>) throws -> Int {
    try read { try $0.count(request.request) }
  }
}

extension PastStore {
  /// Returns an object, or `nil` if it did not exist.
  ///
  /// - Throws: `StoreError`: `badValue` if a stored value does not fit its property, `closed`, `damaged`.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try read { try $0.get(id, in: store) }
  }

  /// Returns the result of a request.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit its property, `closed`, `damaged`.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try read { try $0.fetch(request, in: store) }
  }

  /// Returns the number of objects that matched a request, within its limit and offset.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  public func count<Object>(_ request: EntityRequest<Object>) throws -> Int {
    try read { try $0.count(request.request) }
  }
}

extension StoreReader {
  /// Returns an object, or `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - store: The store that is read, from which the object reads related objects later.
  /// - Throws: `StoreError`: `badValue` if a stored value does not fit its property, `closed`, `damaged`.
  public func get<Object: Storable>(_ id: EntityID<Object>, in store: Store) throws -> Stored<Object>? {
    try get(id.objectID).map { try Stored($0, source: RowSource(.past(store.at(position)))) }
  }

  /// Returns the result of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - store: The store that is read, from which the rows read related objects later.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit its property, `closed`, `damaged`.
  public func fetch<Object: Storable>(
    _ request: EntityRequest<Object>, in store: Store
  ) throws -> EntityResults<Object> {
    try results(of: request) { .past(store.at($0)) }
  }
}
