#if Import

/// One object of a source with its values.
package struct SourceObject: Sendable {
  /// The object's own entity, not an ancestor.
  package let entity: String
  package let key: SourceKey
  /// The values, in the order of ``ObjectSource/attributes(of:)``.
  package let values: [SourceValue]
  /// The values that the source stores in a form that its type does not allow.
  package let faults: [SourceValueFault]

  package init(entity: String, key: SourceKey, values: [SourceValue], faults: [SourceValueFault]) {
    self.entity = entity
    self.key = key
    self.values = values
    self.faults = faults
  }
}

/// A stored value that was read as another one, usually as null.
package struct SourceValueFault: Hashable, Sendable {
  package let field: SourceField
  package let kind: Kind
  /// The stored value as text, shortened.
  package let was: String

  package init(_ field: SourceField, _ kind: Kind, was: String) {
    self.field = field
    self.kind = kind
    self.was = was
  }

  /// The reason, with the value that the object has in its place.
  package enum Kind: Hashable, Sendable {
    /// Not a number: null.
    case notANumber
    /// A value of another type: null.
    case wrongType
    /// A number or date out of the type's range, or of too many digits: null.
    case outOfRange
    /// Bytes that are not UTF-8: text with replacement characters.
    case invalidText
    /// A Boolean other than 0 and 1: true.
    case notZeroOrOne
    /// The file with the bytes does not exist: null.
    case fileMissing
    /// The place of the bytes is unknown: null.
    case unknownStorage
  }
}

extension SourceValueFault.Kind {
  /// The reason in words.
  package var reason: String {
    switch self {
    case .notANumber: "not a number"
    case .wrongType: "not a value of the attribute's type"
    case .outOfRange: "out of range"
    case .invalidText: "not UTF-8"
    case .notZeroOrOne: "neither 0 nor 1"
    case .fileMissing: "the external file is missing"
    case .unknownStorage: "the first byte is not a known place of the bytes"
    }
  }

  /// The value in the place of the stored one, in words.
  package var replacement: String {
    switch self {
    case .invalidText: "text with replacement characters"
    case .notZeroOrOne: "true"
    default: "null"
    }
  }
}

#endif
