import DaybookEngine
import DaybookModel

/// The targets of a to-many relationship, as a property of a struct that is an entity.
///
///     var ingredients: Related<Ingredient>
///
///     Recipe(name: "Cake", ingredients: [flour, sugar])     // a new value lists ids
///     try cake.ingredients.fetch()                          // one that was read reads them now
///
/// Reading an object does not read its related objects. They are looked up on access: among the objects that the
/// request prefetched (``Request/prefetching(_:)``), else in the store at the position at which the value was
/// read, so that they fit the rest of the value whatever was written since.
///
/// Links are changed by the verbs `relate` and `unrelate`; only an insert uses the targets in the value. They are no part
/// of the value, and are not compared with `==`; compare ``ids()``. A struct with `@Entity` that is `Hashable` is
/// compared without them; one that is written by hand has a `==` of its own.
public struct Related<Target: Fetchable>: Sendable {
  enum State {
    /// The ids that a new value lists.
    case listed([EntityID<Target>])
    /// The source from which they are read.
    case stored(RowSource, owner: ObjectID, relationship: String)
  }

  let state: State

  init(_ state: State) { self.state = state }

  /// Makes the list of targets for a new value.
  public init(_ ids: some Sequence<EntityID<Target>>) { state = .listed(Array(ids)) }

  /// The ids that a new value lists, or `nil` for a value that was read.
  var listed: [EntityID<Target>]? {
    if case .listed(let ids) = state { ids } else { nil }
  }

  /// Returns the ids of the related objects, in their order if they have one, else by id.
  ///
  /// - Throws: `StoreError`: `closed`; `badRequest` in the write that read the value; call `targets(of:_:)` of the
  ///   transaction instead.
  /// - Complexity: O(*m* log *n*) for *m* ids, and O(*k* log *n*) for *k* events since the value was read; O(*m*) if
  ///   they were prefetched.
  public func ids() throws -> [EntityID<Target>] {
    switch state {
    case .listed(let ids): return ids
    case .stored(let source, let owner, let relationship):
      return try source.targets(of: owner, relationship).map { EntityID($0) }
    }
  }

  /// Returns the related objects, in their order if they have one, else by id.
  ///
  /// - Throws: The same errors as ``ids()``; `badRequest` for a new value, which belongs to no position; `badValue`.
  /// - Complexity: As ``ids()``.
  public func fetch() throws -> [Record<Target>] {
    guard case .stored(let source, let owner, let relationship) = state else {
      throw StoreError(
        .badRequest, "A new value lists ids, and says of no position what they are.",
        advice: "Get each from the store.")
    }
    return try source.related(to: owner, [relationship]).map { try source.row($0) }
  }
}

extension Related: ExpressibleByArrayLiteral {
  public init(arrayLiteral ids: EntityID<Target>...) { self.init(ids) }
}

extension Related: CustomStringConvertible {
  public var description: String {
    switch state {
    case .listed(let ids): "\(ids.map(\.description))"
    case .stored(_, _, let relationship): "\(relationship)"
    }
  }
}
