/// An attribute with its tag, and with the type and order of its values even where it is derived.
package final class ResolvedAttribute: Sendable {
  package let tag: Tag
  package let name: String
  package let type: AttributeType
  /// Whether an object may lack a value; true for derived minima and maxima, which are null over nothing.
  package let isOptional: Bool
  /// What an insert without a value writes; ``Value/null`` where there is none.
  package let defaultValue: Value
  /// What an object shows that was written before the attribute was added: the default that it was added with, which
  /// stays when the default changes; ``Value/null`` for an attribute that was there from the start.
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

/// What a derived attribute is computed from: a to-many relationship of the same entity, and for all but a count a
/// stored attribute of its target.
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
