import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Returns a projection by its name.
  ///
  /// - Throws: `StoreError`: `notFound` if the store has no rows of such a projection, and this process does not know it;
  ///   `closed`, `damaged`.
  public func projection(_ name: String) throws -> StoreProjection {
    try checkOpen()
    if keeper.knownProjection(name) != nil { return StoreProjection(store: self, name: name) }
    do {
      let names = try keeper.healing {
        try keeper.withSnapshots { snapshot, _ in try keeper.projectionNames(in: snapshot) }
      }
      guard names.contains(name) else { throw StoreError(unknownProjection: name) }
      return StoreProjection(store: self, name: name)
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Returns the states of the user projections, by name.
  ///
  /// They are the projections of which the store has rows, and the projections that this process knows.
  ///
  /// - Throws: `StoreError`.
  public func projections() throws -> [ProjectionStatus] {
    try checkOpen()
    do {
      return try keeper.healing { try keeper.withSnapshots { try projections(in: $0, head: $1.head()) } }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Returns the states of the user projections in the transactions of a reader.
  package func projections(as reader: borrowing StoreReader) throws -> [ProjectionStatus] {
    try projections(in: keeper.projections(of: reader), head: reader.position)
  }

  private func projections(in snapshot: ProjectionsSnapshot, head: Position) throws -> [ProjectionStatus] {
    try keeper.projectionNames(in: snapshot).map { try status(of: $0, in: snapshot, head: head) }
  }

  private func status(of name: String, in snapshot: ProjectionsSnapshot, head: Position) throws -> ProjectionStatus {
    let known = keeper.knownProjection(name)
    let record = try snapshot.record(of: name)
    let live = record.live
    return ProjectionStatus(
      name: name, version: live.map { Int(clamping: $0.version) } ?? known?.version ?? 0,
      checkpoint: live?.checkpoint.position ?? .empty, lag: record.lag(behind: head),
      quarantineCount: Int(clamping: live?.quarantineCount ?? 0),
      stop: (live?.stop ?? record.next?.stop)?.commit,
      rebuild: record.next?.checkpoint.position,
      entities: (live ?? record.next)?.derived.entities.map(\.entity.name) ?? [], mode: known?.mode,
      digest: live?.digest ?? .zero)
  }
}
