import DaybookModel
import DaybookQuery

extension Store {
  /// Returns a request for the objects that a relationship of one object leads to.
  ///
  ///     let ingredients = try store.childrenRequest(of: cake, "ingredients")
  ///     for try await change in try store.liveResults(of: ingredients).changes { ... }
  ///
  /// The request can be restricted, sorted otherwise, fetched and followed like any other one. The objects are in the
  /// order of the relationship, or sorted by id if it has no order.
  ///
  /// - Throws: `StoreError` with the code `notFound` if there is no such object or relationship.
  public func childrenRequest(of id: ObjectID, _ relationship: String) throws -> Request<StoredObject> {
    try read { try $0.childrenRequest(of: id, relationship) }
  }

  /// Returns a request for the targets of a to-many relationship of one object.
  ///
  /// It sorts them by their order if the relationship is ordered.
  ///
  ///     let ingredients = try ObservedResults(of: store.childrenRequest(of: cake, \.ingredients), in: store)
  ///
  /// The request can be restricted, sorted otherwise, fetched and followed like any other one.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object does not exist.
  public func childrenRequest<Parent: Fetchable, Child: Fetchable>(
    of id: EntityID<Parent>, _ relationship: KeyPath<Parent.Fields, ToManyField<Child>>
  ) throws -> Request<Record<Child>> {
    try Request(childrenRequest(of: id.objectID, Parent.name(of: relationship)))
  }

  /// Returns a request's result that stays current.
  ///
  /// - Parameters:
  ///   - request: The request to follow.
  ///   - granularity: Whether each commit that changes the result is a step of its own.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`.
  /// - Complexity: If no equal request is followed yet, O(*n* log *n*) for *n* rows, or O(log *n*) if an index has exactly
  ///   these rows in this order, and then O(*s* log *n*) for *s* sections; else O(1).
  public func liveResults<Row: ResultRow>(
    of request: Request<Row>, granularity: ChangeGranularity = .coalesced
  ) throws -> LiveResults<Row> {
    LiveResults(try StoreResults(request.fetch, of: self, granularity: granularity), of: request)
  }

  /// Returns a live feed of a measure over a request's result: the present value and each later one.
  ///
  ///     for try await total in store.values(of: Recipe.all.sum(\.servings)) { show(total.value) }
  ///
  /// Limit and offset apply: the measure covers the rows in the result. The first value is delivered at once. A slow
  /// consumer receives the latest value, not every value in between; a commit that leaves the value unchanged delivers
  /// nothing. Each loop over the feed reads independently of the others.
  ///
  /// A count takes no memory; the other measures hold the value of each row. All follow a change of *k* rows in
  /// O(*k* log *n*).
  ///
  /// The feed throws `badRequest` if the request or the path names what the model lacks, and `badValue` at a position where
  /// no value of its type can hold the sum (see ``Measure``).
  public func values(of measure: Measure<some ResultRow>) -> Feed<LiveValue> {
    let request = measure._followed.request
    return Feed { JointResults([request], of: self, from: nil, granularity: .coalesced) }.converted { $0.onlyValue }
  }

  /// Returns the value of a measure over a request's result at the head.
  ///
  ///     try store.value(of: Recipe.all.sum(\.servings))
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request or the path names what the model lacks, `badValue` if
  ///   no value of its type can hold the sum.
  public func value(of measure: Measure<some ResultRow>) throws -> LiveValue {
    let results = JointResults([measure._followed.request], of: self, from: nil, granularity: .coalesced)
    guard let step = try results.update() else { preconditionFailure("The first step has all values.") }
    return step.onlyValue
  }
}
