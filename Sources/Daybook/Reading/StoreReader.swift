import DaybookModel
import DaybookQuery
import Foundation
import LMDB

/// A consistent look at a store: everything that is read through it is of one position.
///
///     let count = try store.read { reader in
///       try reader.fetch(FetchRequest(entity: "Recipe")).objects.count
///     }
///
/// It lives in the closure that it was given to. Keep that short: while it runs, the space of later commits grows the
/// files instead of being used again.
public struct StoreReader: ~Copyable {
  let reader: Reader
  let uses: ModelUses
  package let journal: LMDBJournal
  /// The position that is looked at.
  public let position: Position
  /// The commit that brought the model.
  let modelPosition: Position
  /// Where the past is reached from, beside this reader.
  let shelf: SnapshotShelf?

  init(
    reader: Reader, uses: ModelUses, journal: LMDBJournal, position: Position, modelPosition: Position,
    shelf: SnapshotShelf?
  ) {
    self.reader = reader
    self.uses = uses
    self.journal = journal
    self.position = position
    self.modelPosition = modelPosition
    self.shelf = shelf
  }

  /// The model at that position.
  public var model: Model { reader.model.model }

  package var resolvedModel: ResolvedModel { reader.model }

  /// The object of an identity, or nil if there is none.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  /// - Complexity: O(log *n*) for each entity of the model.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    try reader.find(id).flatMap { try reader.object($0) }
  }

  /// The objects that a relationship leads to, in their order if it has one, else by id.
  ///
  /// - Throws: `StoreError` with the code `notFound` if there is no such object or relationship.
  public func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    guard let key = try reader.find(id) else { throw StoreError(.notFound, "There is no object \(id).") }
    return try reader.targets(of: reader.model.requireRelationship(relationship, of: key.entity), from: id)
  }

  /// The answer to a request.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  public func fetch(_ request: FetchRequest) throws -> FetchedResults {
    try reader.fetch(request, at: position)
  }

  /// Walks the answer to a request in order, without keeping it in memory.
  ///
  ///     try reader.forEachObject(in: request) { recipe, section in
  ///       print(section, recipe["name"])
  ///       return true
  ///     }
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - body: Is given each object with the name of its section, and says whether to go on.
  /// - Throws: What `body` throws; `StoreError` with the code `badRequest` if the request names what the model lacks.
  public func forEachObject(
    in request: FetchRequest, _ body: (_ object: StoredObject, _ section: String) throws -> Bool
  ) throws {
    try reader.forEachObject(in: request, body)
  }

  /// The number of objects that meet a request, within its limit and offset.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  public func count(_ request: FetchRequest) throws -> Int {
    var count = 0
    try FetchExecutor(reader.resolve(request), reader: reader).forEachRow { _ in
      count += 1
      return true
    }
    return count
  }

  /// How a request would be answered: the view that it is read from, and what is tested and sorted; one line.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  public func explain(_ request: FetchRequest) throws -> String {
    try FetchExecutor(reader.resolve(request), reader: reader).plan.explanation
  }
}

extension Store {
  /// Looks at the store as it is now.
  ///
  /// If the closure meets damage in the projections, they are built again from the journal, and the closure runs once
  /// more: what it collects outside of itself, it must begin again.
  ///
  /// - Parameter body: What to read; everything in it is of one position, whatever is written meanwhile.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` throws; `StoreError`.
  public func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try checkOpen()
    return try readUnchecked(body)
  }

  /// Looks at the store as it is now, whether or not it is being closed.
  func readUnchecked<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    do {
      return try healing { try readAttempting(body) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func readAttempting<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    // Each round ends in an answer or mends what is behind; only a store that is written to without pause can need
    // more than a few.
    var stuckAt: Position?
    while true {
      switch try readOnce(body) {
      case .answer(let result): return result
      case .needsTables(let state, let opened): try openTables(of: state, in: opened)
      case .isBehind(let checkpoint):
        // A writer is between its two commits, or was, when the two snapshots began one after the other. Only one that
        // is still there after it has had its time is gone, and leaves the rest to others.
        if checkpoint == stuckAt { try mend() } else { usleep(Store.patienceInMicroseconds) }
        stuckAt = checkpoint
      }
    }
  }

  /// The answer to a request.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  public func fetch(_ request: FetchRequest) throws -> FetchedResults {
    try read { try $0.fetch(request) }
  }

  /// The object of an identity, or nil if there is none.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    try read { try $0.get(id) }
  }

  /// The position of the last commit.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  public func head() throws -> Position {
    try read { $0.position }
  }

  /// How long a writer takes from one commit to the other, with something to spare.
  private static let patienceInMicroseconds: UInt32 = 200

  /// How an attempt to read ended.
  private enum Attempt<Result> {
    case answer(Result)
    /// Tables that this process has not opened yet; a snapshot cannot use those that are opened after it began.
    case needsTables(ProjectionState, in: OpenProjections)
    /// The projections are behind the journal, as after a writer was killed between its two commits; where they are.
    case isBehind(Position?)
  }

  private func readOnce<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Attempt<Result> {
    try withSnapshots { projections, journal in
      guard let state = try projections.state else { return .isBehind(nil) }
      guard try journal.head() == state.checkpoint else { return .isBehind(state.checkpoint) }
      guard let catalog = projections.opened.catalog(matching: state) else {
        return .needsTables(state, in: projections.opened)
      }
      let reader = Reader(snapshot: projections.snapshot, tables: catalog.tables, model: catalog.model)
      let answer = try body(
        StoreReader(
          reader: reader, uses: catalog.uses, journal: journal, position: state.checkpoint,
          modelPosition: state.modelPosition, shelf: shelf))
      // A closure may have caught the error, and answered with what it could read.
      try reader.checkUndamaged()
      return .answer(answer)
    }
  }

  /// Learns the model and the tables of a state that another process has made.
  private func openTables(of state: ProjectionState, in opened: OpenProjections) throws {
    // One that is missing was replaced meanwhile: the next attempt reads another state.
    guard let tables = try opened.openTables(of: state) else { return }
    let model = try journalEnvironment.withSnapshot {
      try LMDBJournal(snapshot: $0, tables: journalTables).model(at: state.modelPosition)
    }
    opened.remember(
      Catalog(modelPosition: state.modelPosition, model: model, generations: state.generations, tables: tables))
  }
}
