import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// Reading the results of requests.
extension ObjectReader where Self: ~Copyable {
  /// Returns the result of a request.
  ///
  ///     let recipes = try store.fetch(Recipe.where { $0.servings > 4 }.sorted(by: \.name))
  ///
  /// Rows that were read in a write, in a check or by a projection cannot read related objects themselves, but have the
  /// objects that the request prefetches. In a write and in a context, the objects of a projection are the ones at its
  /// checkpoint, without what is not committed.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit its property, `closed`, `damaged`, `expired`.
  /// - Complexity: O(*n*) for *n* rows that the plan reads. Where an index has exactly the rows that match, in this order,
  ///   the rows before the offset are not read.
  public func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row> {
    try read { try $0.rows(of: $0.fetch(request.fetch), request) }
  }

  /// Calls a closure with the rows of a result in order.
  ///
  ///     try reader.forEachRow(of: Recipe.all) { recipe, section in
  ///       print(section, recipe.name)
  ///       return true
  ///     }
  ///
  /// They are not kept in memory, but in a write and in a context, where the closure may change them.
  ///
  /// - Parameters:
  ///   - request: The request; what it prefetches is not read.
  ///   - body: Called with each row and the name of its section; returns whether to continue.
  /// - Throws: Any error of `body`; `StoreError`: `badRequest` if the request names what the model lacks, `badValue`.
  /// - Complexity: As ``fetch(_:)``.
  public func forEachRow<Row: ResultRow>(
    of request: Request<Row>, _ body: (_ row: Row, _ section: String) throws -> Bool
  ) throws {
    try read { reader in
      let source = RowSource(reader.origin)
      try reader.forEachObject(in: request.fetch) { try body(source.row($0), $1) }
    }
  }

  /// Returns the number of objects that match a request, within its limit and offset.
  ///
  ///     try store.count(Request(entity: "Recipe", filter: Filter(parsing: "servings > 4")))
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`, `expired`.
  /// - Complexity: O(log *n*) if there is no filter, or an index has exactly the rows that match; else O(*n*) for *n* rows
  ///   that the plan reads, and for a past position and the state of a write.
  public func count(_ request: Request<some ResultRow>) throws -> Int { try read { try $0.count(request.fetch) } }

  /// Returns the plan of a request in one line: the source of the rows, the filter and the sorting.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  public func explain(_ request: Request<some ResultRow>) throws -> String {
    try read { try $0.explain(request.fetch) }
  }
}
