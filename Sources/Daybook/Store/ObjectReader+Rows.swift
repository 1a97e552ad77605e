import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// Reading objects as structs, by their identities.
extension ObjectReader where Self: ~Copyable {
  /// Returns an object, or `nil` if it does not exist.
  ///
  ///     let cake = try store.get(id)
  ///
  /// It reads its related objects later at the position at which it was read, or in its context. One that was read in a
  /// write, in a check or by a projection cannot: they are read by their ids, or prefetched by a request.
  ///
  /// - Throws: `StoreError`: `badValue` if it is of another entity, or a stored value does not fit its property, and the
  ///   errors of ``get(_:)-(ObjectID)``.
  /// - Complexity: As ``get(_:)-(ObjectID)``.
  @inlinable
  public func get<Object: Fetchable>(_ id: EntityID<Object>) throws -> Record<Object>? {
    try read { try $0.record(id) }
  }

  /// Returns an object.
  ///
  /// - Throws: `StoreError`: `notFound` if it does not exist; `badValue` if it is of another entity, or a stored value does not
  ///   fit its property; and the errors of ``get(_:)-(ObjectID)``.
  /// - Complexity: As ``get(_:)-(ObjectID)``.
  @inlinable
  public func require<Object: Fetchable>(_ id: EntityID<Object>) throws -> Record<Object> {
    try read { try $0.requireRecord(id) }
  }

  /// Returns the targets of a to-many relationship, in its order if it has one, else by id.
  ///
  /// - Throws: `StoreError`: `notFound` if the object does not exist, `closed`, `damaged`.
  /// - Complexity: O(*m* log *n*) for *m* targets.
  public func targets<Object: Fetchable, Target: Fetchable>(
    of id: EntityID<Object>, _ relationship: KeyPath<Object.Fields, ToManyField<Target>>
  ) throws -> [EntityID<Target>] {
    try targets(of: id.objectID, Object.name(of: relationship)).map { EntityID($0) }
  }

  /// Returns the target of a to-one relationship, or `nil` if it has none.
  ///
  /// - Throws: `StoreError`: `notFound` if the object does not exist, `closed`, `damaged`.
  /// - Complexity: O(log *n*)
  public func target<Object: Fetchable, Target: Fetchable>(
    of id: EntityID<Object>, _ relationship: KeyPath<Object.Fields, ToOneField<Target>>
  ) throws -> EntityID<Target>? {
    try targets(of: id.objectID, Object.name(of: relationship)).first.map { EntityID($0) }
  }

  /// Returns the objects at the end of several relationships.
  ///
  /// Each relationship is followed from all targets of the previous one.
  func related(to id: ObjectID, _ names: [String]) throws -> [StoredObject] {
    try read { reader in
      var objects: [StoredObject] = []
      var ids = [id]
      for name in names {
        objects = try ids.flatMap { try reader.linkTargets(of: $0, name) }.compactMap { try reader.object($0) }
        ids = objects.map(\.id)
      }
      return objects
    }
  }
}
