import DaybookEngine

extension Place {
  /// Directly before another target.
  public static func before<Object>(_ id: EntityID<Object>) -> Place { .before(id.objectID) }

  /// Directly after another target.
  public static func after<Object>(_ id: EntityID<Object>) -> Place { .after(id.objectID) }
}
