import DaybookModel

extension Store {
  /// Returns a request for the targets of a to-many relationship of one object.
  ///
  /// It sorts them by their order if the relationship is ordered.
  ///
  ///     let ingredients = try ObservedResults(of: store.childrenRequest(of: cake, \.ingredients), in: store)
  ///
  /// The request can be restricted, sorted otherwise, fetched and followed like any other one.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object does not exist.
  public func childrenRequest<Parent: Storable, Child: Storable>(
    of id: EntityID<Parent>, _ relationship: KeyPath<Parent.Fields, ToManyField<Child>>
  ) throws -> EntityRequest<Child> {
    try EntityRequest(childrenRequest(of: id.objectID, Parent.name(of: relationship)))
  }

  /// Returns the commits that named an object; see ``history(of:from:to:reversed:limit:)``.
  ///
  ///     var history = try store.history(of: cake)
  ///     while let commit = try history.next() { print(commit.position, commit.author ?? "somebody") }
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object never existed.
  public func history<Object>(
    of id: EntityID<Object>, from first: Position = .empty, to last: Position? = nil, reversed isReversed: Bool = false,
    limit: Int? = nil
  ) throws -> CommitLog {
    try history(of: id.objectID, from: first, to: last, reversed: isReversed, limit: limit)
  }

  /// Returns the commit that set each value of an object and each link to one.
  ///
  ///     for line in try store.blame(of: cake).lines { print(line.name, line.author ?? "somebody") }
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object does not exist.
  public func blame<Object>(of id: EntityID<Object>) throws -> Blame { try blame(of: id.objectID) }
}

extension PastStore {
  /// Returns the commit that had set each value of an object and each link to one.
  ///
  /// Only commits up to this position count.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object did not exist.
  public func blame<Object>(of id: EntityID<Object>) throws -> Blame { try blame(of: id.objectID) }
}
