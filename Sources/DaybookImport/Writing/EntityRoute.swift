#if Import

import DaybookModel

/// The way of the objects of one entity from a source to the store.
struct EntityRoute {
  let source: any ObjectSource
  /// The entity of the source's own model.
  let sourceEntity: String
  /// The entity of the model that is imported.
  let target: String
  /// The entity of the store.
  let name: String
  /// The ways of the values, in the order of the source's attributes; `nil` for one without a place in the store.
  let fields: [FieldRoute?]

  /// A value that is not stored as the source has it.
  struct Change {
    let place: SourceField
    let reason: String
    let became: Value
  }

  /// The values of an object as the store stores them, by name.
  struct Values {
    var values: [String: Value] = [:]
    var changes: [Change] = []
  }

  /// Converts the values of an object.
  ///
  /// A value that is null and has no default is left out.
  func values(of object: SourceObject) throws -> Values {
    var result = Values()
    for (field, value) in zip(fields, object.values) {
      guard let field else { continue }
      let converted = try field.converted(value)
      if let reason = converted.reason {
        result.changes.append(Change(place: field.target, reason: reason, became: converted.value))
      }
      if converted.value.isNull, field.defaultValue.isNull { continue }
      result.values[field.name] = converted.value
    }
    return result
  }
}

#endif
