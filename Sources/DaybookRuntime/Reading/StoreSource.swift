import DaybookEngine
import DaybookModel

/// What the reader of a store at a position reads beside objects: the journal, the past and the rows of projections.
package final class StoreSource {
  let dependents: Dependents
  let journal: LMDBJournal
  /// The position of the commit with the model.
  let modelPosition: Position
  /// The snapshots from which past positions are read, in addition to this reader.
  let snapshotStore: SnapshotStore?
  /// The shared inverse layers, with the hash of the last commit; `nil` before the commit is in the journal, and for a
  /// past position.
  let inverses: InverseLayers.Anchor?
  /// The projections of the store that is read; `nil` in a write.
  let keeper: ProjectionKeeper?
  /// What derived entities are read from; `nil` in a write, and for a reader that reads them.
  let derivedBase: StoreReader.DerivedBase?
  /// What reads the rows of projections; `nil` for stored objects alone.
  let derivation: DerivedCatalog?
  /// How far the rows of projections are behind the head; `nil` for stored objects alone, and for a past position.
  let lag: ScopeLag?
  /// Whether a position of the past is read.
  let isPast: Bool

  init(
    dependents: Dependents, journal: LMDBJournal, modelPosition: Position, snapshotStore: SnapshotStore?,
    inverses: InverseLayers.Anchor?, keeper: ProjectionKeeper?, derivedFrom base: StoreReader.DerivedBase?,
    derivation: DerivedCatalog?, lag: ScopeLag?, isPast: Bool
  ) {
    self.isPast = isPast
    self.dependents = dependents
    self.journal = journal
    self.modelPosition = modelPosition
    self.snapshotStore = snapshotStore
    self.inverses = inverses
    self.keeper = keeper
    derivedBase = base
    self.derivation = derivation
    self.lag = lag
  }

  /// The same, read as a position of the past.
  var asPast: StoreSource {
    StoreSource(
      dependents: dependents, journal: journal, modelPosition: modelPosition, snapshotStore: snapshotStore,
      inverses: inverses, keeper: keeper, derivedFrom: derivedBase, derivation: derivation, lag: lag, isPast: true)
  }

  /// The time of the store's clock; `nil` in the check of a condition.
  var now: Timestamp? { keeper?.files.options.clock() }
}

extension StoreSource: DerivedSource {
  /// The recorded time of a past position, else the clock's.
  package func presentTime(for reader: borrowing StoreReader) throws -> Timestamp? {
    isPast ? try reader.recordedTime(of: reader.position) : now
  }

  package func readDerived<Result>(
    of entity: String, for reader: borrowing StoreReader, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result? {
    guard let derived = try reader.derived(entity) else { return nil }
    return try body(derived)
  }

  package func readDerived<Result>(
    _ id: ObjectID, for reader: borrowing StoreReader, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result? {
    guard let derived = try reader.derived(having: id) else { return nil }
    return try body(derived)
  }
}
