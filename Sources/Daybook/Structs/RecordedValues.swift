import DaybookEngine
import DaybookModel
import DaybookRuntime

/// A recorded event as it is in the journal, from which a struct reads its properties.
///
///     init(event: RecordedValues) throws {
///       about = event.about()
///       servings = try event.value("servings")
///     }
public struct RecordedValues {
  /// The object that the event is about.
  package let object: ObjectID
  private let fields: [NamedValue]
  private let type: any Recordable.Type

  init(_ object: ObjectID, _ fields: [NamedValue], of type: any Recordable.Type) {
    self.object = object
    self.fields = fields
    self.type = type
  }

  /// Returns the object that the event is about.
  public func about<Subject>() -> EntityID<Subject> { EntityID(object) }

  /// Returns the value of an attribute.
  ///
  /// An event that was recorded before the attribute was added has its default, or null if it is optional. A value that
  /// was recorded under the attribute's former name is found by `renamedFrom`.
  ///
  /// - Throws: `StoreError` with the code `badValue` if the value does not fit the type.
  /// - Complexity: O(*n*) for *n* values.
  public func value<Value: AttributeValue>(_ name: String) throws -> Value {
    do {
      return try Value(_storedValue: storedValue(name, isOptional: Value._isOptional).bytesLoaded())
    } catch let error as StoreError {
      throw StoreError(error.code, "\(type.eventName).\(name) of \(object): \(error.message).", advice: error.remedy)
    }
  }

  private func storedValue(_ name: String, isOptional: Bool) throws -> DaybookModel.Value {
    if let field = fields.first(where: { $0.name == name }) { return field.value }
    guard let declared = try type.eventType.attributes.first(where: { $0.name == name }) else { return .null }
    if let former = declared.renamedFrom, let field = fields.first(where: { $0.name == former }) { return field.value }
    return isOptional ? .null : declared.defaultValue
  }
}
