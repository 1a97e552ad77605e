import DaybookModel

/// Where the rows of one result look for related objects: among those that were prefetched, else in the store as it was
/// at the result's position, or in the editing context that they are of.
///
/// It keeps the store open until the last row that came from it is let go.
final class RowSource: Sendable {
  private let origin: Locked<Origin>
  private let prefetched: Prefetched

  /// What is read when something was not prefetched.
  enum Origin: Sendable {
    case past(PastStore)
    /// As it is when it is asked.
    case context(EditingContext)
    /// A write that is under way, or rows of which nobody knows where they are from.
    case nowhere
  }

  init(_ origin: Origin, prefetched: Prefetched = Prefetched()) {
    self.origin = Locked(origin)
    self.prefetched = prefetched
  }

  /// Reads at another position from now on, for rows that are the same there. Nothing may be prefetched.
  func move(to other: Origin) {
    origin.withLock { $0 = other }
  }

  /// The targets of a relationship, in their order if they have one, else by id.
  func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    if let targets = prefetched.targets[LinkName(id, relationship)] { return targets }
    switch try readable() {
    case .past(let past): return try past.read { try $0.targets(of: id, relationship) }
    case .context(let context): return try context.targets(of: id, relationship)
    case .nowhere: return []
    }
  }

  /// The objects at the end of several relationships, each of which is followed from all that the one before led to.
  func related(to id: ObjectID, _ names: [String]) throws -> [StoredObject] {
    if let found = prefetched.related(to: id, names) { return found }
    switch try readable() {
    case .past(let past): return try past.read { try $0.related(to: id, names) }
    case .context(let context): return try context.related(to: id, names)
    case .nowhere: return []
    }
  }

  /// Objects by their ids, as far as they are there.
  func objects(_ ids: [ObjectID]) throws -> [StoredObject] {
    switch try readable() {
    case .past(let past): try past.read { reader in try ids.compactMap { try reader.get($0) } }
    case .context(let context): try ids.compactMap { try context.get($0) }
    case .nowhere: []
    }
  }

  /// - Throws: `StoreError` with the code `badRequest` if there is nothing to read.
  private func readable() throws -> Origin {
    let origin = origin.withLock { $0 }
    guard case .nowhere = origin else { return origin }
    throw StoreError(
      .badRequest, "A value that was read inside a write cannot read related objects by itself.",
      advice: "Ask the transaction for the targets, or prefetch them.")
  }
}

extension Reading where Self: ~Copyable {
  /// The objects at the end of several relationships, each of which is followed from all that the one before led to.
  func related(to id: ObjectID, _ names: [String]) throws -> [StoredObject] {
    var objects: [StoredObject] = []
    var ids = [id]
    for name in names {
      objects = try ids.flatMap { try targets(of: $0, name) }.compactMap { try get($0) }
      ids = objects.map(\.id)
    }
    return objects
  }
}
