import DaybookEngine
import DaybookModel
import DaybookRuntime

/// A store as it was at a position; it is read like the store, with the model of that time.
public struct PastStore: ObjectReader, Sendable {
  let store: Store
  /// The position of all reads.
  public let position: Position

  /// Calls `body` with a reader of the store at the position.
  ///
  ///     let old = try store.at(5).read { reader in try reader.fetch(Recipe.all).count + reader.count(Tag.all) }
  ///
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` for a position beyond the head, or 0, where there
  ///   is nothing to read.
  /// - Complexity: O(*k* log *n*) for *k* events between the position and the nearest snapshot or the head, and O(*n*)
  ///   for each change of the model on the way.
  public func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try store.read { try $0.read(at: position, body) }
  }

  /// Returns the object with an identity, or `nil` if it does not exist, as all readers do.
  ///
  /// Stored objects are not brought to the position for an object of a projection whose rows depend on nothing but their
  /// own records.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  public func get(_ id: ObjectID) throws -> StoredObject? { try read(id) { try $0.get(id) } }

  /// Returns the object with an identity; as ``get(_:)``.
  ///
  /// - Throws: `StoreError`: `notFound` if it does not exist, `closed`, `damaged`.
  public func require(_ id: ObjectID) throws -> StoredObject { try read(id) { try $0.require(id) } }

  /// Calls a closure with a reader of an object, and of nothing else.
  private func read<Result>(_ id: ObjectID, _ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try store.read { try $0.read(objectWith: id, at: position, isAlone: true, body) }
  }

  /// Returns the result of a request, as all readers do.
  ///
  /// Stored objects are not brought to the position for derived rows that depend on nothing but their own records.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit its property, `closed`, `damaged`.
  public func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row> {
    // Structs and prefetched links read more than the rows.
    guard Row.self == StoredObject.self, request.prefetched.isEmpty else {
      return try store.read { try $0.read(request.fetch.entity, at: position) { try $0.fetch(request) } }
    }
    return try store.read { try $0.read(request.fetch, at: position) { try $0.fetch(request) } }
  }

  /// Returns the number of objects that matched a request, within its limit and offset; as ``fetch(_:)``.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  public func count(_ request: Request<some ResultRow>) throws -> Int {
    try store.read { try $0.read(request.fetch, at: position) { try $0.count(request) } }
  }

  /// Returns the commits that had set the values and links of an object at the position; later commits do not count.
  ///
  /// See ``Store/blame(of:)-(ObjectID)``.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object did not exist.
  public func blame(of id: ObjectID) throws -> Blame { try read(id) { try $0.blame(of: id) } }

  /// Returns the commit that had set each value of an object and each link to one; see ``blame(of:)-(ObjectID)``.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object did not exist.
  public func blame<Object>(of id: EntityID<Object>) throws -> Blame { try blame(of: id.objectID) }
}
