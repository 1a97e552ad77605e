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
}
