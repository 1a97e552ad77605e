import DaybookModel
import DaybookRuntime

extension AppliedCommit {
  /// The objects of a struct's entity that exist after the commit and not before it, by rising id.
  ///
  ///     for id in commit.inserted(Revision.self) {
  ///       let revision = try commit.after.require(id)
  ///     }
  ///
  /// An entity that was removed from the model has none. For one that the model never had, the commit fails when the call
  /// has ended.
  ///
  /// - Complexity: O(*k* log *n*) for *k* events of the commit.
  public func inserted<Object: Fetchable>(_ type: Object.Type) -> [EntityID<Object>] {
    inserted(Object.entityName).map { EntityID($0) }
  }

  /// The objects of a struct's entity that exist before the commit and not after it, by rising id.
  public func deleted<Object: Fetchable>(_ type: Object.Type) -> [EntityID<Object>] {
    deleted(Object.entityName).map { EntityID($0) }
  }

  /// The objects of a struct's entity that exist before and after the commit, and differ in a value or in a link that
  /// they own, by rising id.
  public func changed<Object: Fetchable>(_ type: Object.Type) -> [EntityID<Object>] {
    changed(Object.entityName).map { EntityID($0) }
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
