import DaybookModel
import DaybookRuntime

extension ProjectionContext {
  /// Returns a recorded event as a struct, or `nil` for an event of another kind or another name.
  ///
  ///     if let cooked = try context.event(event, as: RecipeCooked.self) {
  ///       try context.increment(cooked.about.objectID.bytes, by: Int64(cooked.servings), in: "servings")
  ///     }
  ///
  /// - Throws: `StoreError`: `damaged`; `badValue` if a value does not fit its property.
  public func event<Named: Recordable>(_ event: borrowing RawEvent, as type: Named.Type) throws -> Named? {
    guard event.kind == .recorded else { return nil }
    return try self.event(event).decoded(as: type)
  }
}
