/// An attribute with its tag, and the type and order of its values even if it is derived.
package final class ResolvedAttribute: Sendable {
  package let tag: Tag
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
  package let isRetired: Bool

  package init(
    tag: Tag, name: String, type: AttributeType, isOptional: Bool, defaultValue: Value,
    valueWhenMissing: Value = .null, order: StringOrder, derivation: ResolvedDerivation?, isRetired: Bool
  ) {
    self.tag = tag
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.valueWhenMissing = valueWhenMissing
    self.order = order
    self.derivation = derivation
    self.isRetired = isRetired
  }
}

/// The source of a derived attribute.
///
/// It is a to-many relationship of the same entity and, for all kinds but a count, a stored attribute of its target.
package struct ResolvedDerivation: Hashable, Sendable {
  package enum Kind: String, Sendable { case count, sum, minimum, maximum }
  package let kind: Kind
  package let relationship: Int
  package let attribute: Int?

  package init(kind: Kind, relationship: Int, attribute: Int?) {
    self.kind = kind
    self.relationship = relationship
    self.attribute = attribute
  }
}
