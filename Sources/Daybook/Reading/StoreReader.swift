import DaybookModel
import DaybookQuery
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
  let journal: LMDBJournal
  /// The position that is looked at.
  public let position: Position

  init(reader: Reader, journal: LMDBJournal, position: Position) {
    self.reader = reader
    self.journal = journal
    self.position = position
  }

  /// The model at that position.
  public var model: Model { reader.model.model }

  package var resolvedModel: ResolvedModel { reader.model }

  /// The object of an identity, or nil if there is none.
  ///
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

  /// The number of objects that meet a request, within its limit and offset.
  public func count(_ request: FetchRequest) throws -> Int {
    var count = 0
    try FetchExecutor(reader.resolve(request), reader: reader).forEachRow { _ in
      count += 1
      return true
    }
    return count
  }

  /// How a request would be answered: the view that it is read from, and what is tested and sorted; one line.
  public func explain(_ request: FetchRequest) throws -> String {
    try FetchExecutor(reader.resolve(request), reader: reader).plan.explanation
  }
}

extension Store {
  /// Looks at the store as it is now.
  ///
  /// - Parameter body: What to read; everything in it is of one position, whatever is written meanwhile.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` throws; `StoreError`.
  public func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try checkOpen()
    do {
      // Each round ends in an answer or mends what is behind; only a store that is written to without pause can need
      // more than one.
      while true {
        if let result = try readOnce(body) { return result }
        try mend()
      }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// The answer to a request.
  public func fetch(_ request: FetchRequest) throws -> FetchedResults {
    try read { try $0.fetch(request) }
  }

  /// The object of an identity, or nil if there is none.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    try read { try $0.get(id) }
  }

  /// The position of the last commit.
  public func head() throws -> Position {
    try read { $0.position }
  }

  /// Reads once; nil if the projections are behind the journal, as after a writer was killed between its two commits.
  private func readOnce<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result? {
    try withSnapshots { projections, journal in
      guard let state = try readState(in: projections), try journal.head() == state.checkpoint,
        let catalog = try catalog(for: state, journal)
      else { return nil }
      let reader = Reader(snapshot: projections, tables: catalog.tables, model: catalog.model)
      return try body(StoreReader(reader: reader, journal: journal, position: state.checkpoint))
    }
  }

  /// The model and tables of a state, from what the process keeps, or read anew because another process changed them.
  private func catalog(for state: ProjectionState, _ journal: LMDBJournal) throws -> Catalog? {
    if let catalog = rememberedCatalog(matching: state) { return catalog }
    let tables = try projectionsEnvironment.openTables(state.tableNames).compactMap { $0 }
    guard tables.count == TableName.allCases.count else { return nil }
    let catalog = Catalog(
      modelPosition: state.modelPosition, model: try journal.model(at: state.modelPosition),
      generations: state.generations,
      tables: ProjectionTables(objects: tables[0], links: tables[1], views: tables[2], unique: tables[3]))
    remember(catalog)
    return catalog
  }
}
