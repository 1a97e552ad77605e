/// An attribute with its tag, and the type and order of its values even if it is derived.
package final class ResolvedAttribute: Sendable {
  package let tag: Tag
  /// The number of the entity that declares it, or is the subject of the event that has it.
  package let entity: Int
  package let name: String
  package let type: AttributeType
  /// Whether an object may lack a value.
  ///
  /// True for derived minima and maxima, which are null for no objects.
  package let isOptional: Bool
  /// The value that an insert writes by default; ``Value/null`` for no default.
  package let defaultValue: Value
  /// The value of an object written before the attribute was added.
  ///
  /// It is the default with which the attribute was added, even if the default changes; ``Value/null`` for an attribute
  /// of the first model.
  package let valueWhenMissing: Value
  package let order: StringOrder
  package let derivation: ResolvedDerivation?
  /// Whether the objects of the entity lack it: a later model removed it, or another entity of the hierarchy declares it.
  package let isRetired: Bool
  package let rules: [AttributeRule]

  package init(
    tag: Tag, entity: Int, name: String, type: AttributeType, isOptional: Bool, defaultValue: Value,
    valueWhenMissing: Value = .null, order: StringOrder, derivation: ResolvedDerivation?, isRetired: Bool,
    rules: [AttributeRule] = []
  ) {
    self.tag = tag
    self.entity = entity
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.valueWhenMissing = valueWhenMissing
    self.order = order
    self.derivation = derivation
    self.isRetired = isRetired
    self.rules = rules
  }
}

extension ResolvedAttribute {
  /// The value of an attribute if its object's record has no field for it.
  package var missingValue: Value {
    guard let derivation else { return valueWhenMissing }
    switch derivation.kind {
    case .count: return .integer(0)
    case .sum: return type == .double ? .double(0) : type == .decimal ? .decimal(0) : .integer(0)
    case .minimum, .maximum: return .null
    }
  }
}

/// The source of a derived attribute.
///
/// It is a to-many relationship of the same entity and, for all kinds but a count, a stored attribute of its target.
package struct ResolvedDerivation: Hashable, Sendable {
  package enum Kind: String, Sendable, CaseIterable { case count, sum, minimum, maximum }
  package let kind: Kind
  package let relationship: Int
  package let attribute: Int?

  package init(kind: Kind, relationship: Int, attribute: Int?) {
    self.kind = kind
    self.relationship = relationship
    self.attribute = attribute
  }
}

extension ResolvedDerivation.Kind {
  /// The word for the kind in model files.
  var key: String {
    switch self {
    case .count: "count"
    case .sum: "sum"
    case .minimum: "min"
    case .maximum: "max"
    }
  }

  /// The types from which the kind can be computed.
  var sources: [AttributeType] {
    switch self {
    case .count: []
    case .sum: [.integer, .double, .decimal]
    case .minimum, .maximum: [.integer, .double, .decimal, .string, .date]
    }
  }
}
