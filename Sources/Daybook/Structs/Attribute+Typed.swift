import DaybookEngine
import DaybookModel

extension Attribute {
  /// Makes an attribute that holds values of a Swift type.
  ///
  ///     try Attribute("servings", as: Int.self, default: 4)
  ///
  /// - Throws: `StoreError` with the code `badValue` if the default cannot be stored.
  public init<Value: AttributeValue>(
    _ name: String, as type: Value.Type, default value: Value? = nil, renamedFrom: String? = nil,
    order: StringOrder = .codepoint, rules: [AttributeRules] = []
  ) throws {
    self.init(
      name: name, renamedFrom: renamedFrom, type: Value._attributeType, isOptional: Value._isOptional,
      defaultValue: try Attribute.stored(value, of: name), order: order,
      rules: rules.flatMap(\.rules))
  }

  private static func stored<Default: AttributeValue>(_ value: Default?, of name: String) throws -> Value {
    guard let value else { return .null }
    do {
      return try value._storedValue().normalized(as: Default._attributeType)
    } catch let error as ValueError {
      throw StoreError(.badValue, "The default of \(name): \(error)")
    } catch let error as StoreError {
      throw StoreError(error.code, "The default of \(name): \(error.message)", advice: error.remedy)
    }
  }

  /// Makes an attribute that the store computes from related objects.
  public init(_ name: String, derived derivation: Derivation, renamedFrom: String? = nil) {
    self.init(name: name, renamedFrom: renamedFrom, type: nil, derivation: derivation)
  }
}
