#if Import

import DaybookModel

extension SourceAttributeType {
  /// The type of a column in the neutral form.
  init(_ type: AttributeType) {
    switch type {
    case .string, .codable: self = .string
    case .integer: self = .integer64
    case .double: self = .double
    case .decimal: self = .decimal
    case .boolean: self = .boolean
    case .date: self = .date
    case .uuid: self = .uuid
    case .data: self = .binary
    }
  }
}

#endif
