import DaybookModel
import DaybookQuery

extension StoreReader {
  /// Calls `body` with a reader of the store as it was at an earlier position.
  ///
  ///     let old = try store.read { try $0.read(at: 5) { try $0.get(cake) } }
  ///
  /// - Parameters:
  ///   - target: From 1 to the position of this reader.
  ///   - body: Reads the store. All members of its reader refer to that position, with the objects, links and the model
  ///     of that time.
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` for a position beyond the reader's, or 0,
  ///   where there is nothing to read.
  /// - Complexity: O(*k* log *n*) for *k* events between the position and the nearest snapshot or the head, and O(*n*)
  ///   for each change of the model on the way.
  public func read<Result>(
    at target: Position, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    try requirePosition(target)
    guard target > .empty else {
      throw StoreError(
        .notFound, "At position 0 there is nothing to read: it is the state before the model.",
        advice: "Give a position from 1.")
    }
    let modelPosition = try journal.modelPositions().last { $0 <= target } ?? 1
    return try withPast(target) { past in
      try body(
        StoreReader(
          reader: past.reader, uses: past.uses, journal: journal, position: target, modelPosition: modelPosition,
          shelf: shelf))
    }
  }
}

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

  /// Returns the result of a request.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  public func fetch(_ request: FetchRequest) throws -> FetchedResults {
    try read { try $0.fetch(request) }
  }

  /// Returns the object with an identity, or `nil` if there was none.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    try read { try $0.get(id) }
  }
}
