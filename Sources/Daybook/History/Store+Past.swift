import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

extension Store {
  /// Returns the store as it was at a position.
  ///
  ///     try store.at(5).fetch(recipes)
  ///
  /// Nothing is held: each read computes the state from the head or the nearest snapshot, at the cost of what changed
  /// in between.
  public func at(_ position: Position) -> PastStore { PastStore(store: self, position: position) }

  /// Returns the store as it was at a time: after the last commit that was recorded by then.
  ///
  /// - Throws: `StoreError` with the code `notFound` if all commits are later.
  public func at(_ time: Timestamp) throws -> PastStore {
    let position = try read { try $0.position(recordedBy: time) }
    guard position > .empty else {
      throw StoreError(.notFound, "The store's first commit is later than \(time).", advice: "Give a later time.")
    }
    return PastStore(store: self, position: position)
  }

  /// Returns the differences of a request, commit by commit, over a span of the past.
  ///
  /// - Parameters:
  ///   - request: The request to replay.
  ///   - first: The first commit; 0 and 1 are the beginning.
  ///   - last: The last commit; `nil` for the head at the time of the call.
  /// - Throws: `StoreError` with the code `notFound` for positions beyond the head.
  public func replay<Row: ResultRow>(
    of request: Request<Row>, from first: Position = 1, through last: Position? = nil
  ) throws -> Replay<Row> {
    let last = try read { reader in
      try reader.requirePosition(max(first, last ?? .empty))
      return last ?? reader.position
    }
    return Replay(self, request, from: first, through: last)
  }
}

/// A store as it was at a position; it is read like the store, with the model of that time.
public struct PastStore: Sendable {
  let store: Store
  /// The position of all reads.
  public let position: Position

  /// Calls `body` with a reader of the store at the position.
  ///
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` for a position beyond the head, or 0.
  public func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try store.read { try $0.read(at: position, body) }
  }

  private func read<Result>(_ entity: String, _ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try store.read { try $0.read(entity, at: position, body) }
  }

  /// Returns the result of a request.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit its property, `closed`, `damaged`.
  public func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row> {
    // Structs and prefetched links read more than the rows.
    guard Row.self == StoredObject.self, request.prefetched.isEmpty else {
      return try read(request.fetch.entity) { try $0.fetch(request) }
    }
    return try store.read { try $0.read(request.fetch, at: position) { try $0.fetch(request) } }
  }

  /// Returns the number of objects that matched a request, within its limit and offset.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  public func count(_ request: Request<some ResultRow>) throws -> Int {
    try store.read { try $0.read(request.fetch, at: position) { try $0.count(request) } }
  }

  /// Returns the object with an identity, or `nil` if there was none.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    try read { try $0.get(id) }
  }

  /// Returns an object, or `nil` if it did not exist.
  ///
  /// - Throws: `StoreError`: `badValue` if a stored value does not fit its property, `closed`, `damaged`.
  public func get<Object: Fetchable>(_ id: EntityID<Object>) throws -> Record<Object>? {
    try read { try $0.get(id) }
  }
}

extension PastStore {
  /// Returns the commits that had set the values and links of an object at the position.
  ///
  /// See ``StoreReader/blame(of:)``.
  public func blame(of id: ObjectID) throws -> Blame { try read { try $0.blame(of: id) } }

  /// Returns the commit that had set each value of an object and each link to one.
  ///
  /// Only commits up to this position count.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object did not exist.
  public func blame<Object>(of id: EntityID<Object>) throws -> Blame { try blame(of: id.objectID) }
}
