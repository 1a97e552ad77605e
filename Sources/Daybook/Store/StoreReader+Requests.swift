import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookRuntime

extension StoreReader: ObjectReader {
  /// The state from which rows that are read now read related objects later.
  var origin: (any RowOrigin)? {
    guard let store = keeper?.owner as? Store else { return nil }
    return StoreOrigin(store: store, position: position)
  }

  /// Returns an object, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError`: `badValue` if a stored value does not fit its property, `closed`, `damaged`.
  public func get<Object: Fetchable>(_ id: EntityID<Object>) throws -> Record<Object>? {
    try get(id.objectID).map { try RowSource(origin).row($0) }
  }

  /// Returns the result of a request.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit its property, `closed`, `damaged`.
  /// - Complexity: O(*n*) for *n* rows that the plan reads. Where an index has exactly the rows that match, in this order,
  ///   the rows before the offset are not read.
  public func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row> {
    try rows(of: fetch(request.fetch), request, from: origin)
  }

  /// Calls a closure with the rows of a result in order, without keeping them in memory.
  ///
  ///     try reader.forEachRow(of: Recipe.all) { recipe, section in
  ///       print(section, recipe.name)
  ///       return true
  ///     }
  ///
  /// - Parameters:
  ///   - request: The request; what it prefetches is not read.
  ///   - body: Called with each row and the name of its section; returns whether to continue.
  /// - Throws: Any error of `body`; `StoreError`: `badRequest` if the request names what the model lacks, `badValue`.
  public func forEachRow<Row: ResultRow>(
    of request: Request<Row>, _ body: (_ row: Row, _ section: String) throws -> Bool
  ) throws {
    let source = RowSource(origin)
    try forEachObject(in: request.fetch) { try body(source.row($0), $1) }
  }

  /// Returns the number of objects that match a request, within its limit and offset.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  /// - Complexity: O(log *n*) if there is no filter, or an index has exactly the rows that match; else O(*n*) for *n* rows
  ///   that the plan reads, and for a past position.
  public func count(_ request: Request<some ResultRow>) throws -> Int { try count(request.fetch) }

  /// Returns the plan of a request in one line: the source of the rows, the filter and the sorting.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  public func explain(_ request: Request<some ResultRow>) throws -> String { try explain(request.fetch) }

  /// Returns the ids of a request's result at a position, by section.
  ///
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, `badRequest` if the request names what the
  ///   model of that position lacks.
  /// - Complexity: O(*k* log *n*) for *k* events between the position and the nearest snapshot or the head, plus the
  ///   cost of fetching there.
  package func ids<Row: ResultRow>(of request: Request<Row>, at position: Position) throws -> SectionedIDs<Row.ID> {
    try ids(of: request.fetch, at: position).mapped { Row.id(of: $0) }
  }

  /// Returns the difference of a request's result between two positions.
  ///
  ///     let change = try store.read { try $0.difference(of: request, from: 5, to: 7) }
  ///
  /// The difference is computed from the commits in between, by the rules of ``Difference``; at 0 every result is
  /// empty. If `to` is before `from`, it is the inverse of the difference from `to` to `from`. If the model changed in
  /// between in what the request reaches, the returned change is a reset.
  ///
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, `badRequest` if the request names what the
  ///   model of the later position lacks.
  /// - Complexity: O(*n* log *n* + *k* log *n*) for *n* rows and *k* events between the positions, and between the
  ///   later position and the nearest snapshot or the head.
  public func difference<Row: ResultRow>(
    of request: Request<Row>, from: Position, to: Position
  ) throws -> Change<Difference<Row.ID>> {
    try difference(of: request.fetch, from: from, to: to).of(Row.self, in: keeper?.owner as? Store)
  }
}
