#if Import

/// The types of attributes in a source: the types of Core Data, which include the types of SQLite columns.
package enum SourceAttributeType: Hashable, Sendable {
  case integer16
  case integer32
  case integer64
  case decimal
  case double
  case float
  case string
  case boolean
  case date
  case binary
  case uuid
  case uri
  /// Bytes that a transformer of the application makes from a value.
  case transformable
  /// The identity of an object, which only transient attributes have.
  case objectID
  /// Several attributes under one name; a leaf can be composite too.
  case composite([SourceAttribute])
  /// No type; Core Data stores nothing.
  case undefined
}

extension SourceAttributeType {
  /// The name of the type in Xcode's files.
  package var name: String {
    switch self {
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "ObjectID"
    case .composite: "Composite"
    case .undefined: "Undefined"
    }
  }

  /// The types without leaves, by name.
  private static let named: [String: SourceAttributeType] = {
    let types: [SourceAttributeType] = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid, .uri,
      .transformable, .objectID, .undefined,
    ]
    return Dictionary(uniqueKeysWithValues: types.map { ($0.name, $0) })
  }()

  /// Returns the type with a name of Xcode's files, or `nil` for another name and for composites.
  package init?(name: String) {
    guard let type = SourceAttributeType.named[name] else { return nil }
    self = type
  }

  package var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }

  package var isComposite: Bool { if case .composite = self { true } else { false } }

  /// Whether stored bytes can be in a file of their own.
  package var isBytes: Bool { self == .binary || self == .transformable }
}

#endif
