import DaybookModel

/// The objects that a to-many relationship leads to, as a property of a struct that is an entity.
///
///     var ingredients: Related<Ingredient>
///
///     Recipe(name: "Cake", ingredients: [flour, sugar])     // a new value lists ids
///     try cake.ingredients.fetch()                          // one that was read reads them now
///
/// Reading an object does not read what it is related to. What a value that was read leads to is found when it is asked
/// for: at once if the request prefetched it (``EntityRequest/prefetching(_:)``), else by a look into the store at the
/// position that the value was read at, so that it fits the rest of the value whatever was written since.
///
/// Links are changed by verbs, `relate` and `unrelate`; only inserting takes them from the value. So they are no part
/// of what a value is: any two are equal.
public struct Related<Target: Storable>: Sendable {
  enum State {
    /// The ids that a new value lists.
    case listed([EntityID<Target>])
    /// Where they are read.
    case stored(RowSource, owner: ObjectID, relationship: String)
  }

  let state: State

  init(_ state: State) { self.state = state }

  /// Lists the targets of a new value.
  public init(_ ids: some Sequence<EntityID<Target>>) { state = .listed(Array(ids)) }

  /// The ids that a new value lists; nil for one that was read.
  var listed: [EntityID<Target>]? {
    if case .listed(let ids) = state { ids } else { nil }
  }

  /// The ids of the related objects, in their order if they have one, else by id.
  ///
  /// - Throws: `StoreError`: `closed`; `badRequest` inside of the write that read the value, which is to be asked itself
  ///   with `targets(of:_:)`.
  /// - Complexity: O(*m* log *n*) for *m* ids, and O(*k* log *n*) for *k* events since the value was read; O(*m*) where
  ///   they were prefetched.
  public func ids() throws -> [EntityID<Target>] {
    switch state {
    case .listed(let ids): return ids
    case .stored(let source, let owner, let relationship):
      return try source.targets(of: owner, relationship).map { EntityID($0) }
    }
  }

  /// The related objects, in their order if they have one, else by id.
  ///
  /// - Throws: As ``ids()``; `badRequest` for a new value, whose objects no position is given for; `badValue`.
  /// - Complexity: As ``ids()``.
  public func fetch() throws -> [Stored<Target>] {
    guard case .stored(let source, let owner, let relationship) = state else {
      throw StoreError(
        .badRequest, "A new value lists ids, and says of no position what they are.",
        advice: "Get each from the store.")
    }
    return try source.related(to: owner, [relationship]).map { try Stored($0, source: source) }
  }
}

extension Related: ExpressibleByArrayLiteral {
  public init(arrayLiteral ids: EntityID<Target>...) { self.init(ids) }
}

extension Related: Hashable {
  public static func == (a: Related, b: Related) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}
}

extension Related: CustomStringConvertible {
  public var description: String {
    switch state {
    case .listed(let ids): "\(ids.map(\.description))"
    case .stored(_, _, let relationship): "\(relationship)"
    }
  }
}
