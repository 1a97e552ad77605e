/// The readable fields of an object, by rising tag.
///
/// These are its attributes and to-one links, except retired ones.
///
/// The shape is flat, and omits the parts that only resolution needs: an attribute of the model refers to a dozen
/// objects, all of which would be retained for each value that is read.
package final class RecordLayout: Sendable {
  package let attributes: [Attribute]
  package let links: [Link]

  package struct Attribute: Sendable {
    package let tag: Tag
    package let name: String
    /// The value if the record has no field for the attribute.
    package let missingValue: Value
  }

  package struct Link: Sendable {
    package let tag: Tag
    package let name: String
    /// Whether the link is in the object's own record.
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
