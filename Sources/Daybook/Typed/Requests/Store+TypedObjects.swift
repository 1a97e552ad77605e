import DaybookModel

extension Store {
  /// A request for the objects that a to-many relationship leads to from one object, in their order if it has one.
  ///
  ///     let ingredients = try ObservedResults(of: store.childrenRequest(of: cake, \.ingredients), in: store)
  ///
  /// It is a request like any other: it can be narrowed, sorted otherwise, fetched and followed.
  ///
  /// - Throws: `StoreError` with the code `notFound` if there is no such object.
  public func childrenRequest<Parent: Storable, Child: Storable>(
    of id: EntityID<Parent>, _ relationship: KeyPath<Parent.Fields, ToManyField<Child>>
  ) throws -> EntityRequest<Child> {
    try EntityRequest(childrenRequest(of: id.objectID, Parent.name(of: relationship)))
  }

  /// Goes through the commits that named an object; see ``history(of:from:to:reversed:limit:)``.
  ///
  ///     var history = try store.history(of: cake)
  ///     while let commit = try history.next() { print(commit.position, commit.author ?? "somebody") }
  ///
  /// - Throws: `StoreError` with the code `notFound` if there has never been such an object.
  public func history<Object>(
    of id: EntityID<Object>, from first: Position = .empty, to last: Position? = nil, reversed isReversed: Bool = false,
    limit: Int? = nil
  ) throws -> CommitLog {
    try history(of: id.objectID, from: first, to: last, reversed: isReversed, limit: limit)
  }

  /// For each value of an object, and each link to one, the commit that set it.
  ///
  ///     for line in try store.blame(of: cake).lines { print(line.name, line.author ?? "somebody") }
  ///
  /// - Throws: `StoreError` with the code `notFound` if there is no such object.
  public func blame<Object>(of id: EntityID<Object>) throws -> Blame { try blame(of: id.objectID) }
}

extension PastStore {
  /// For each value of an object, and each link to one, the commit that had set it at this position.
  ///
  /// - Throws: `StoreError` with the code `notFound` if there was no such object.
  public func blame<Object>(of id: EntityID<Object>) throws -> Blame { try blame(of: id.objectID) }
}
