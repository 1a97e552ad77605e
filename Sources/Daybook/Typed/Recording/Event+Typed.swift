import DaybookEngine
import DaybookModel
import DaybookRuntime

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
    guard case .recorded(let name, _) = content else { return nil }
    if name != Named.eventName {
      guard try Named.eventType.renamedFrom == name else { return nil }
    }
    return try Named(event: self)
  }

  /// Returns the value of an attribute of a recorded event, for a struct that reads its properties.
  ///
  /// An event that was recorded before the attribute was added has its default, or null if it is optional. A value that
  /// was recorded under the attribute's former name is found by `renamedFrom`.
  ///
  /// - Parameters:
  ///   - name: The name of the attribute.
  ///   - type: The struct, which declares the attribute.
  /// - Throws: `StoreError` with the code `badValue` if the value does not fit the type.
  /// - Complexity: O(*n*) for *n* values.
  public func value<Value: AttributeValue>(_ name: String, of type: (some Recordable).Type) throws -> Value {
    do {
      return try Value(_storedValue: storedValue(name, of: type, isOptional: Value._isOptional).bytesLoaded())
    } catch let error as StoreError {
      throw StoreError(error.code, "\(type.eventName).\(name) of \(object): \(error.message).", advice: error.remedy)
    }
  }

  private func storedValue(
    _ name: String, of type: (some Recordable).Type, isOptional: Bool
  ) throws -> DaybookModel.Value {
    guard case .recorded(_, let fields) = content else { return .null }
    if let field = fields.first(where: { $0.name == name }) { return field.value }
    guard let declared = try type.eventType.attributes.first(where: { $0.name == name }) else { return .null }
    if let former = declared.renamedFrom, let field = fields.first(where: { $0.name == former }) { return field.value }
    return isOptional ? .null : declared.defaultValue
  }
}
