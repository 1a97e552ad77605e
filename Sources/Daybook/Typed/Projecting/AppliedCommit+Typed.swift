import DaybookModel
import DaybookRuntime

extension AppliedCommit {
  /// The objects of a struct's entity that exist after the commit and not before it, by rising id.
  ///
  ///     for id in try commit.inserted(Revision.self) {
  ///       let revision = try commit.after.require(id)
  ///     }
  ///
  /// An entity that was removed from the model has none.
  ///
  /// - Throws: `StoreError`: `notFound` for an entity that the model lacks, `damaged`.
  /// - Complexity: O(*k* log *n*) for *k* events of the commit.
  public func inserted<Object: Storable>(_ type: Object.Type) throws -> [EntityID<Object>] {
    try inserted(Object.entityName).map { EntityID($0) }
  }

  /// The objects of a struct's entity that exist before the commit and not after it, by rising id.
  ///
  /// - Throws: As for the inserted ones.
  public func deleted<Object: Storable>(_ type: Object.Type) throws -> [EntityID<Object>] {
    try deleted(Object.entityName).map { EntityID($0) }
  }

  /// The objects of a struct's entity that exist before and after the commit, and differ in a value or in a link that
  /// they own, by rising id.
  ///
  /// - Throws: As for the inserted ones.
  public func changed<Object: Storable>(_ type: Object.Type) throws -> [EntityID<Object>] {
    try changed(Object.entityName).map { EntityID($0) }
  }

  /// The recorded events of a struct, in their order.
  ///
  ///     for cooked in try commit.recorded(RecipeCooked.self) { print(cooked.servings) }
  ///
  /// - Throws: `StoreError`: `damaged`; `badValue` if a value does not fit its property.
  public func recorded<Named: Recordable>(_ type: Named.Type) throws -> [Named] {
    try events().compactMap { try $0.decoded(as: type) }
  }
}
