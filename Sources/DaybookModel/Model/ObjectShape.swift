/// What an object of an entity shows when it is read: its attributes and its links to one, by rising tag, without those
/// that are retired.
///
/// Flat, and without what only resolving needs: an attribute of the model refers to a dozen things, all of which would be
/// retained for each value that is read.
package final class ObjectShape: Sendable {
  package let attributes: [Attribute]
  package let links: [Link]

  package struct Attribute: Sendable {
    package let tag: Tag
    package let name: String
    /// What it is where the record has no field for it.
    package let missingValue: Value
  }

  package struct Link: Sendable {
    package let tag: Tag
    package let name: String
    /// Whether it is in the object's record.
    package let isOwner: Bool
  }

  init(attributes: [ResolvedAttribute], relationships: [ResolvedRelationship]) {
    self.attributes = attributes.lazy.filter { !$0.isRetired }.map {
      Attribute(tag: $0.tag, name: $0.name, missingValue: $0.missingValue)
    }
    links = relationships.lazy.filter { !$0.isMany && !$0.isRetired }.map {
      Link(tag: $0.tag, name: $0.name, isOwner: $0.isOwner)
    }
  }
}

extension ResolvedAttribute {
  /// What an attribute is where its object's record has no field for it.
  package var missingValue: Value {
    guard let derivation else { return valueWhenMissing }
    switch derivation.kind {
    case .count: return .integer(0)
    case .sum: return type == .double ? .double(0) : type == .decimal ? .decimal(0) : .integer(0)
    case .minimum, .maximum: return .null
    }
  }
}
