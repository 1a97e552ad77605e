import DaybookModel
import DaybookRuntime

extension Store {
  /// Returns a request for the targets of a to-many relationship of one object.
  ///
  /// It sorts them by their order if the relationship is ordered.
  ///
  ///     let ingredients = try ObservedResults(of: store.childrenRequest(of: cake, \.ingredients), in: store)
  ///
  /// The request can be restricted, sorted otherwise, fetched and followed like any other one.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object does not exist.
  public func childrenRequest<Parent: Storable, Child: Storable>(
    of id: EntityID<Parent>, _ relationship: KeyPath<Parent.Fields, ToManyField<Child>>
  ) throws -> EntityRequest<Child> {
    try EntityRequest(childrenRequest(of: id.objectID, Parent.name(of: relationship)))
  }

  /// Returns the commits that named an object; see ``history(of:from:to:reversed:limit:)``.
  ///
  ///     var history = try store.history(of: cake)
  ///     while let commit = try history.next() { print(commit.position, commit.author ?? "somebody") }
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object never existed.
  public func history<Object>(
    of id: EntityID<Object>, from first: Position = .empty, to last: Position? = nil, reversed isReversed: Bool = false,
    limit: Int? = nil
  ) throws -> CommitLog {
    try history(of: id.objectID, from: first, to: last, reversed: isReversed, limit: limit)
  }

  /// Returns the commit that set each value of an object and each link to one.
  ///
  ///     for line in try store.blame(of: cake).lines { print(line.name, line.author ?? "somebody") }
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object does not exist.
  public func blame<Object>(of id: EntityID<Object>) throws -> Blame { try blame(of: id.objectID) }

  /// Returns an object, or `nil` if it does not exist.
  ///
  ///     let cake = try store.get(id)
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is of another entity, or a value does not fit its property.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try read { try $0.get(id) }
  }

  /// Returns the result of a request.
  ///
  ///     let recipes = try store.fetch(Recipe.where { $0.servings > 4 }.sorted(by: \.name))
  ///
  /// - Throws: `StoreError`: `badRequest` if the store's model lacks what the request names; `badValue` if a value does
  ///   not fit its property.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try read { try $0.fetch(request) }
  }

  /// Returns the number of objects that match a request, within its limit and offset.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  public func count<Object>(_ request: EntityRequest<Object>) throws -> Int {
    try read { try $0.count(request.request) }
  }

  /// Returns the value of a measure over a request's result at the head.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request or the path names what the model lacks.
  public func value<Object>(
    _ measure: EntityMeasure<Object>, of request: EntityRequest<Object>
  ) throws -> LiveValue {
    try value(measure.measure, of: request.request)
  }

  /// Returns the live value of a measure over a request's result; see ``Store/values(_:of:)-(Measure,_)``.
  public func values<Object>(
    _ measure: EntityMeasure<Object>, of request: EntityRequest<Object>
  ) -> Feed<LiveValue> {
    values(measure.measure, of: request.request)
  }
}
