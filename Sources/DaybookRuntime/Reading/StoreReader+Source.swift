import DaybookEngine
import DaybookModel

extension StoreReader {
  /// Makes a reader of a store.
  init(
    reader: Reader, dependents: Dependents, journal: LMDBJournal, position: Position, modelPosition: Position,
    snapshotStore: SnapshotStore?, inverses: InverseLayers.Anchor? = nil, keeper: ProjectionKeeper? = nil,
    derivedFrom base: DerivedBase? = nil, derivation: DerivedCatalog? = nil, lag: ScopeLag? = nil,
    isPast: Bool = false
  ) {
    self.init(
      reader, at: position,
      source: StoreSource(
        dependents: dependents, journal: journal, modelPosition: modelPosition, snapshotStore: snapshotStore,
        inverses: inverses, keeper: keeper, derivedFrom: base, derivation: derivation, lag: lag, isPast: isPast))
  }

  /// Makes a reader of a state that consists of layers.
  init(
    _ state: State, _ journal: LMDBJournal, _ snapshotStore: SnapshotStore?, keeper: ProjectionKeeper?,
    derivedFrom base: DerivedBase?, derivation: DerivedCatalog? = nil, isPast: Bool = false
  ) throws {
    self.init(
      reader: state.reader, dependents: state.dependents, journal: journal, position: state.position,
      // With derived entities, all positions are read by one model.
      modelPosition: try derivation == nil ? journal.modelPositions().last { $0 <= state.position } ?? 1 : 1,
      snapshotStore: snapshotStore,
      keeper: keeper, derivedFrom: base, derivation: derivation, isPast: isPast)
  }

  /// Makes a reader of an editing context.
  ///
  /// - Parameters:
  ///   - tip: Reads the state of the context.
  ///   - position: The position of the context.
  ///   - head: The reader of the store, which has the objects of projections; they have no edits.
  package init(
    _ tip: Reader, of context: any AnyObject & Sendable, at position: Position, over head: borrowing StoreReader
  ) {
    self.init(tip, at: position, source: HeadSource(head), context: context, usesConstraints: false)
  }

  /// Whether it reads a store, and not a write, an editing context or the commit of a projection.
  package var isOfStore: Bool { source is StoreSource }

  /// What it reads beside objects, which the reader of a store alone has.
  private var whole: StoreSource {
    guard let whole = source as? StoreSource else { preconditionFailure("Only the reader of a store has a journal.") }
    return whole
  }

  package var dependents: Dependents { whole.dependents }
  package var journal: LMDBJournal { whole.journal }
  /// The position of the commit with the model.
  package var modelPosition: Position { whole.modelPosition }
  /// The snapshots from which past positions are read, in addition to this reader.
  var snapshotStore: SnapshotStore? { whole.snapshotStore }
  /// The projections of the store that is read; `nil` in a write.
  package var keeper: ProjectionKeeper? { whole.keeper }
  /// What derived entities are read from; `nil` in a write, and for a reader that reads them.
  var derivedBase: DerivedBase? { whole.derivedBase }
  /// What reads the rows of projections; `nil` for stored objects alone.
  var derivation: DerivedCatalog? { whole.derivation }
  /// How far the rows of projections are behind the head; `nil` for stored objects alone, and for a past position.
  package var lag: ScopeLag? { whole.lag }

  /// The reader's own position, from which earlier positions are reached.
  package var present: State {
    State(reader: reader, dependents: dependents, position: position, sharing: whole.inverses)
  }

  /// The rows of projections that are read.
  package var stamp: ScopeStamp { derivation?.stamp ?? .stored }
}
