import DaybookEngine
import DaybookModel
import DaybookQuery
import LMDB

/// A consistent view of a store: all reads through it are of one position.
///
///     let count = try store.read { reader in
///       try reader.fetch(FetchRequest(entity: "Recipe")).objects.count
///     }
///
/// It is valid only in its closure. Keep the closure short: while it runs, new commits let the files grow instead of
/// reusing space.
public struct StoreReader: ~Copyable {
  package let reader: Reader
  package let dependents: Dependents
  package let journal: LMDBJournal
  /// The position of the view.
  public let position: Position
  /// The position of the commit with the model.
  package let modelPosition: Position
  /// The snapshots from which past positions are read, in addition to this reader.
  let snapshotStore: SnapshotStore?
  /// The shared inverse layers, with the hash of the last commit; `nil` before the commit is in the journal, and for a
  /// past position.
  private let inverses: InverseLayers.Anchor?
  /// The projections of the store that is read; `nil` in a write.
  package let keeper: ProjectionKeeper?
  /// What derived entities are read from; `nil` in a write, and for a reader that reads them.
  let derivedBase: DerivedBase?
  /// What reads the rows of projections; `nil` for stored objects alone.
  let derivation: DerivedCatalog?
  /// How far the rows of projections are behind the head; `nil` for stored objects alone, and for a past position.
  package let lag: ScopeLag?

  init(
    reader: Reader, dependents: Dependents, journal: LMDBJournal, position: Position, modelPosition: Position,
    snapshotStore: SnapshotStore?, inverses: InverseLayers.Anchor? = nil, keeper: ProjectionKeeper? = nil,
    derivedFrom base: DerivedBase? = nil, derivation: DerivedCatalog? = nil, lag: ScopeLag? = nil
  ) {
    self.keeper = keeper
    self.lag = lag
    derivedBase = base
    self.derivation = derivation
    self.inverses = inverses
    self.reader = reader
    self.dependents = dependents
    self.journal = journal
    self.position = position
    self.modelPosition = modelPosition
    self.snapshotStore = snapshotStore
  }

  /// Makes a reader of a state that consists of layers.
  init(
    _ state: State, _ journal: LMDBJournal, _ snapshotStore: SnapshotStore?, keeper: ProjectionKeeper?,
    derivedFrom base: DerivedBase?, derivation: DerivedCatalog? = nil
  ) throws {
    self.init(
      reader: state.reader, dependents: state.dependents, journal: journal, position: state.position,
      // With derived entities, all positions are read by one model.
      modelPosition: try derivation == nil ? journal.modelPositions().last { $0 <= state.position } ?? 1 : 1,
      snapshotStore: snapshotStore,
      keeper: keeper, derivedFrom: base, derivation: derivation)
  }

  /// The reader's own position, from which earlier positions are reached.
  package var present: State { State(reader: reader, dependents: dependents, position: position, sharing: inverses) }

  /// The model at this position.
  public var model: Model { reader.model.model }

  /// The rows of projections that are read.
  package var stamp: ScopeStamp { derivation?.stamp ?? .stored }

  package var resolvedModel: ResolvedModel { reader.model }

  /// Returns the object with an identity, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  /// - Complexity: O(log *n*) for each entity of the model.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    if let key = try reader.find(id) { return try reader.object(key) }
    return try derived(having: id)?.get(id)
  }

  /// Returns the targets of a relationship, in their order if it is ordered, else by id.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object or the relationship does not exist.
  public func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    guard let key = try reader.find(id) else {
      if let derived = try derived(having: id) { return try derived.targets(of: id, relationship) }
      throw StoreError(.notFound, "There is no object \(id).")
    }
    return try reader.targets(of: reader.model.requireRelationship(relationship, of: key.entity), from: id)
  }

  /// Returns the result of a request, as objects.
  package func fetch(_ request: FetchRequest) throws -> Results<StoredObject> {
    if let derived = try derived(request.entity) { return try derived.fetch(request) }
    return try reader.fetch(request, at: position)
  }

  /// Calls a closure with the objects of a result and the names of their sections, until it returns `false`.
  package func forEachObject(
    in request: FetchRequest, _ body: (_ object: StoredObject, _ section: String) throws -> Bool
  ) throws {
    if let derived = try derived(request.entity) { return try derived.forEachObject(in: request, body) }
    try reader.forEachObject(in: request, body)
  }

  /// Returns the number of objects that match a request, within its limit and offset.
  package func count(_ request: FetchRequest) throws -> Int {
    if let derived = try derived(request.entity) { return try derived.count(request) }
    return try reader.executor(of: request).count()
  }

  /// Returns the plan of a request in one line.
  package func explain(_ request: FetchRequest) throws -> String {
    if let derived = try derived(request.entity) { return try derived.explain(request) }
    return try reader.executor(of: request).plan.explanation
  }
}
