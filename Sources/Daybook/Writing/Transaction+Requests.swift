import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Transaction: ObjectReader {
  /// Returns an object in the state of this write, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is of another entity, or a value does not fit its property.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Record<Object>? {
    try get(id.objectID).map { try RowSource(nil).row($0) }
  }

  /// Returns the result of a request in the state of this write.
  ///
  /// Its rows cannot read related objects themselves, but contain the objects that the request prefetches.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit.
  public func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row> {
    try rows(of: fetch(request.fetch), request, from: nil)
  }

  /// Returns the number of objects that match a request in the state of this write, within its limit and offset.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  /// - Complexity: O(*n*) for *n* rows that the plan reads.
  public func count(_ request: Request<some ResultRow>) throws -> Int { try count(request.fetch) }

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
  public func set(where request: Request<some ResultRow>, _ values: KeyValuePairs<String, Value>) throws -> Int {
    try set(where: request.fetch, values)
  }

  /// Changes attributes of all objects that match a request to values from a dictionary.
  ///
  /// - Returns: The number of objects that match.
  /// - Throws: The errors of the form with pairs.
  @discardableResult
  public func set(where request: Request<some ResultRow>, values: [String: Value]) throws -> Int {
    try set(where: request.fetch, values: values)
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
  public func delete(where request: Request<some ResultRow>) throws -> Int { try delete(where: request.fetch) }
}
