import DaybookEngine
import DaybookModel
import DaybookRuntime

/// The source from which the rows of one result read related objects.
///
/// These are the prefetched objects, else the store at the result's position, or the rows' editing context. It keeps
/// the store open until the last of its rows is released.
final class RowSource: Sendable {
  private let origin: Locked<Origin>
  private let prefetched: Prefetched

  /// The state from which objects are read that were not prefetched.
  enum Origin: Sendable {
    case past(PastStore)
    /// A context in its present state.
    case context(EditingContext)
    /// A write in progress, or rows of unknown origin.
    case nowhere
  }

  init(_ origin: Origin, prefetched: Prefetched = Prefetched()) {
    self.origin = Locked(origin)
    self.prefetched = prefetched
  }

  /// Replaces the position, for rows that are the same there. Nothing may be prefetched.
  func move(to other: Origin) {
    origin.withLock { $0 = other }
  }

  /// Returns the targets of a relationship, in their order if they have one, else by id.
  func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    if let targets = prefetched.targets[LinkName(id, relationship)] { return targets }
    switch try readable() {
    case .past(let past): return try past.read { try $0.targets(of: id, relationship) }
    case .context(let context): return try context.targets(of: id, relationship)
    case .nowhere: return []
    }
  }

  /// Returns the objects at the end of several relationships.
  ///
  /// Each relationship is followed from all targets of the previous one.
  func related(to id: ObjectID, _ names: [String]) throws -> [StoredObject] {
    if let found = prefetched.related(to: id, names) { return found }
    switch try readable() {
    case .past(let past): return try past.read { try $0.related(to: id, names) }
    case .context(let context): return try context.related(to: id, names)
    case .nowhere: return []
    }
  }

  /// Returns objects by their ids; skips missing ids.
  func objects(_ ids: [ObjectID]) throws -> [StoredObject] {
    switch try readable() {
    case .past(let past): try past.read { reader in try ids.compactMap { try reader.get($0) } }
    case .context(let context): try ids.compactMap { try context.get($0) }
    case .nowhere: []
    }
  }

  /// - Throws: `StoreError` with the code `badRequest` if there is no state to read.
  private func readable() throws -> Origin {
    let origin = origin.withLock { $0 }
    guard case .nowhere = origin else { return origin }
    throw StoreError(
      .badRequest, "A value that was read inside a write cannot read related objects by itself.",
      advice: "Ask the transaction for the targets, or prefetch them.")
  }
}
