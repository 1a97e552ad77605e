#if Import

import DaybookModel

extension SourceAttributeType {
  /// The type of the values in the store, or `nil` for a type that is not stored as one value.
  var translated: AttributeType? {
    switch self {
    case .integer16, .integer32, .integer64: .integer
    case .decimal: .decimal
    case .double, .float: .double
    case .string, .uri: .string
    case .boolean: .boolean
    case .date: .date
    case .binary, .transformable: .data
    case .uuid: .uuid
    case .composite, .undefined, .objectID: nil
    }
  }
}

#endif
