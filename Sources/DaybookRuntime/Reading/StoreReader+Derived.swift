import DaybookEngine
import DaybookModel
import DaybookQuery

/// Rows that the process can make: of an inline projection that lacks commits, or of one that has no rows yet.
struct MissingRows: Error {
  let projection: any Projection
}

extension StoreReader {
  /// What states with derived entities are made from.
  struct DerivedBase {
    let projections: ProjectionsSnapshot
    /// The projections that are read at their checkpoint, wherever it is.
    var applied: Set<String> = []
    /// Rows with their history, which are read in place of the store's.
    var folded: [DerivedInstance] = []
    /// For a reader of the past, the head; a reader of the head reads rows at their checkpoint.
    var head: Head?
    /// For a reader of the past, the states that it has read.
    var states: PastStates?

    /// The stored objects at the head, with the position of their model.
    struct Head {
      let present: State
      let modelPosition: Position
    }

    /// The states of the scopes that a reader of the past has read. They can be used as long as it exists.
    final class PastStates {
      /// The states, with the snapshots that they are read from.
      var states: [[String]: (ScopedState, SnapshotReading?)] = [:]
    }
  }

  /// The head of the store, to which derived entities are added.
  private var head: DerivedBase.Head {
    derivedBase?.head ?? DerivedBase.Head(present: present, modelPosition: modelPosition)
  }

  /// Returns the base for a reader of the past of this one.
  var baseOfPast: DerivedBase? {
    derivedBase.map {
      DerivedBase(
        projections: $0.projections, applied: $0.applied, folded: $0.folded, head: head,
        states: DerivedBase.PastStates())
    }
  }

  /// The position whose rows are read; `nil` for the checkpoint.
  private var past: Position? { derivedBase?.head == nil ? nil : position }

  /// Returns the scope in which the objects of an entity are read.
  package func scope(of entity: String) throws -> RequestScope { try scope(of: [entity]) }

  /// Returns the scope in which the objects of several entities are read together.
  package func scope(of entities: [String]) throws -> RequestScope {
    // A stored entity always wins a name.
    guard let derivedBase, entities.contains(where: { head.present.reader.model.entity(named: $0) == nil }) else {
      return .stored
    }
    return scope(of: entities, in: try derivedBase.projections.derivedRows())
  }

  private func scope(of entities: [String], in rows: [DerivedInstance]) -> RequestScope {
    let model = head.present.reader.model
    let wanted = entities.filter { model.entity(named: $0) == nil }
    let owners = wanted.compactMap { name in
      rows.owner(of: name)
        ?? keeper?.files.options.projections.first { $0.entities.contains { $0.entity.name == name } }?.name
    }
    return RequestScope(rows.closure(over: owners))
  }

  /// Returns the reader of the state in which an entity is read, or `nil` if it is this one.
  ///
  /// A derived entity is read at the checkpoint of its projection, together with the stored objects as they were there.
  ///
  /// - Throws: `StoreError`: `notFound` if the projection lacks the commit of this reader's past; `notBuilt` if it has no
  ///   rows and this process does not know it; `MissingRows`, `AwaitedRows`, `UnopenedTables`.
  package func derived(_ entity: String) throws -> StoreReader? {
    // In the common case the records of the projections need not be read.
    guard reader.model.entity(named: entity) == nil, let derivedBase else { return nil }
    let rows = try derivedBase.projections.derivedRows()
    return try derived(in: scope(of: [entity], in: rows), rows)
  }

  /// Returns the reader of the state in which the object with an identity is read, if it is a derived one.
  package func derived(having id: ObjectID) throws -> StoreReader? {
    guard id.isDerived else { return nil }
    for rows in try readableRows() {
      if let derived = try derived(in: rows.scope), try derived.reader.find(id) != nil { return derived }
    }
    return nil
  }

  /// Returns the scope and the entities of each projection that has rows at this position.
  func readableRows() throws -> [(scope: RequestScope, entities: [String])] {
    guard let derivedBase else { return [] }
    let all = try derivedBase.projections.derivedRows()
    return all.filter { $0.checkpoint > .empty && $0.checkpoint >= past ?? .empty }.map { rows in
      (RequestScope(all.closure(over: [rows.name])), rows.model.entities.map(\.entity.name))
    }
  }

  /// - Throws: `StoreError` with the code `notFound` if a projection lacks the commit of this reader's past.
  func requireAllRows() throws {
    guard let past, let derivedBase else { return }
    for rows in try derivedBase.projections.derivedRows() where rows.checkpoint < past {
      throw ScopeLag(head: head.present.position, checkpoints: [(rows.name, rows.checkpoint)]).error(of: past)
    }
  }

  /// Returns the reader of a scope, or `nil` if it is this one.
  ///
  /// - Throws: `StoreError`: `notFound` if a projection lacks the commit of this reader's past; `notBuilt` if it has no
  ///   rows and this process does not know it; `MissingRows`, `AwaitedRows`, `UnopenedTables`.
  package func derived(in scope: RequestScope) throws -> StoreReader? {
    guard !scope.isStored, let derivedBase else { return nil }
    return try derived(in: scope, derivedBase.projections.derivedRows())
  }

  /// - Parameter all: The rows of all projections.
  private func derived(
    in scope: RequestScope, _ all: [DerivedInstance]
  ) throws -> StoreReader? {
    guard !scope.isStored, let derivedBase else { return nil }
    try requireInlineRows(of: scope, all, derivedBase.applied)
    let rows = try scope.projections.map { name in
      guard let rows = all.first(where: { $0.name == name }), rows.checkpoint > .empty else {
        guard let known = keeper?.knownProjection(name) else { throw StoreError(unbuiltProjection: name) }
        guard keeper?.isWritingOnThisThread == false else { throw StoreError(awaitedProjection: name) }
        if derivedBase.applied.contains(name) { throw AwaitedRows(projection: name) }
        throw MissingRows(projection: known)
      }
      return derivedBase.folded.first { $0.name == name } ?? rows
    }
    let lag = ScopeLag(head: head.present.position, checkpoints: rows.map { ($0.name, $0.checkpoint) })
    if let past, rows.contains(where: { $0.checkpoint < past }) { throw lag.error(of: past) }
    return try reader(of: rows, lag, in: derivedBase.projections)
  }

  /// - Parameter applied: The projections that are read at their checkpoint, wherever it is.
  /// - Throws: `MissingRows` if an inline projection of this process lacks commits: of processes that do not know it, or
  ///   because the rows that it reads were replaced.
  private func requireInlineRows(
    of scope: RequestScope, _ all: [DerivedInstance], _ applied: Set<String>
  ) throws {
    guard let keeper, !keeper.isWritingOnThisThread else { return }
    for name in scope.projections where !applied.contains(name) {
      guard let projection = keeper.knownProjection(name), projection.mode == .inline else { continue }
      if let live = all.first(where: { $0.name == name })?.instance {
        let reads = projection.reads.isEmpty ? [] : all.rows(of: projection.reads)?.map(\.part)
        if live.stop != nil || live.checkpoint.position >= head.present.position && live.reads == reads { continue }
      }
      throw MissingRows(projection: projection)
    }
  }

  /// Returns a reader of rows and of stored objects at the lowest checkpoint of the rows, or at the position of this
  /// reader of the past.
  private func reader(
    of rows: [DerivedInstance], _ lag: ScopeLag, in projections: ProjectionsSnapshot
  ) throws -> StoreReader {
    let head = head
    let catalog = try projections.opened.derivedCatalog(
      of: rows, in: head.present.reader.model, at: head.modelPosition, projections.snapshot)
    func reader(_ scoped: ScopedState, _ lag: ScopeLag?) -> StoreReader {
      StoreReader(
        reader: scoped.state.reader, dependents: scoped.state.dependents, journal: scoped.journal,
        position: scoped.state.position, modelPosition: 1, snapshotStore: snapshotStore, keeper: keeper,
        derivation: catalog, lag: lag, isPast: lag == nil)
    }
    let names = rows.map(\.name)
    if let (known, _) = derivedBase?.states?.states[names] { return reader(known, nil) }
    let scoped = try ScopedState(adding: rows, catalog, to: head.present, in: journal, projections.snapshot)
    let present = reader(scoped, lag)
    guard let past else { return present }
    let start = try present.snapshot(nearestTo: past)
    let moved = ScopedState(
      try (start?.state ?? scoped.state).moved(to: past, in: scoped.journal), joined: scoped.journal)
    derivedBase?.states?.states[names] = (moved, start)
    return reader(moved, nil)
  }

  /// Returns the reader of a projection's rows at their checkpoint, wherever it is; `nil` without rows.
  func rows(of name: String) throws -> StoreReader? {
    guard let derivedBase, let rows = try derivedBase.projections.derivedRows().rows(of: [name]) else { return nil }
    let lag = ScopeLag(head: head.present.position, checkpoints: rows.map { ($0.name, $0.checkpoint) })
    return try reader(of: rows, lag, in: derivedBase.projections)
  }
}
