import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime
import Foundation

extension Store {
  /// Reads the store at its head.
  ///
  /// If the closure meets damage in the projections, they are rebuilt from the journal, and the closure runs again:
  /// results that it collects outside of itself must then be reset.
  ///
  /// - Parameter body: The reads; all of them see one position, regardless of concurrent writes.
  /// - Returns: The result of `body`.
  /// - Throws: Any error of `body`; `StoreError`.
  public func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try keeper.read(body)
  }

  /// Returns the result of a request.
  ///
  ///     let recipes = try store.fetch(Recipe.where { $0.servings > 4 }.sorted(by: \.name))
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks; `badValue` if a value does not fit
  ///   its property; `closed`, `damaged`.
  /// - Complexity: As ``StoreReader/fetch(_:)``.
  public func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row> {
    try read { try $0.fetch(request) }
  }

  /// Returns the number of objects that match a request, within its limit and offset.
  ///
  ///     try store.count(Request(entity: "Recipe", filter: Filter(parsing: "servings > 4")))
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  /// - Complexity: As ``StoreReader/count(_:)``.
  public func count(_ request: Request<some ResultRow>) throws -> Int {
    try read { try $0.count(request) }
  }

  /// Returns the object with an identity, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    try read { try $0.get(id) }
  }

  /// Returns an object, or `nil` if it does not exist.
  ///
  ///     let cake = try store.get(id)
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is of another entity, or a value does not fit its property.
  public func get<Object: Fetchable>(_ id: EntityID<Object>) throws -> Record<Object>? {
    try read { try $0.get(id) }
  }

  /// The position of the last commit.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  public var position: Position {
    get throws { try read { $0.position } }
  }
}
