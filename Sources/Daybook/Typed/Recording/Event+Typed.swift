import DaybookModel

extension Event {
  /// Returns a recorded event as a struct, or `nil` for an event of another kind or another name.
  ///
  ///     for event in commit.events {
  ///       if let cooked = try event.decoded(as: RecipeCooked.self) { print(cooked.servings) }
  ///     }
  ///
  /// An event that was recorded under the former name that the struct states as `renamedFrom` is returned too.
  ///
  /// - Throws: `StoreError` with the code `badValue` if a value does not fit its property.
  public func decoded<Named: Recordable>(as type: Named.Type) throws -> Named? {
    guard case .recorded(let name, let fields) = content else { return nil }
    if name != Named.eventName {
      guard try Named.eventType.renamedFrom == name else { return nil }
    }
    return try Named(event: RecordedValues(object, fields, of: Named.self))
  }
}
