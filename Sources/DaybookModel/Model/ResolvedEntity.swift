/// An entity with its dense numbers and tags.
package final class ResolvedEntity: Sendable {
  package let index: Int
  package let tag: Tag
  package let name: String
  package let isRetired: Bool
  /// Stored, derived and retired attributes.
  package let attributes: [ResolvedAttribute]
  package let relationships: [ResolvedRelationship]
  /// The number of the name attribute.
  package let nameAttribute: Int?
  /// The timeline, followed by the model's indexes in their order.
  package let indexes: [ResolvedIndex]
  package let constraints: [ResolvedConstraint]
  /// The groups that are kept up to date with the objects.
  package let groups: [ResolvedGroups]
  /// The conditions that its objects meet, as filters.
  package let rules: [String]
  /// The fields that are the identity of a derived entity's rows; empty for any other entity.
  package let key: [ResolvedPath.Field]
  /// The fields of its objects that are read.
  package let recordLayout: RecordLayout

  private let attributeByName: [String: Int]
  private let attributeByTag: [Tag: Int]
  private let relationshipByName: [String: Int]

  package init(
    index: Int, tag: Tag, name: String, isRetired: Bool, attributes: [ResolvedAttribute],
    relationships: [ResolvedRelationship], nameAttribute: Int?, indexes: [ResolvedIndex],
    constraints: [ResolvedConstraint], groups: [ResolvedGroups] = [], rules: [String] = [],
    key: [ResolvedPath.Field] = []
  ) {
    self.index = index
    self.tag = tag
    self.name = name
    self.isRetired = isRetired
    self.attributes = attributes
    self.relationships = relationships
    self.nameAttribute = nameAttribute
    self.indexes = indexes
    self.constraints = constraints
    self.groups = groups
    self.rules = rules
    self.key = key
    recordLayout = RecordLayout(entity: name, attributes: attributes, relationships: relationships, key: key)
    attributeByName = Dictionary(
      attributes.enumerated().filter { !$1.isRetired }.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    attributeByTag = Dictionary(
      attributes.enumerated().map { ($1.tag, $0) }, uniquingKeysWith: { first, _ in first })
    relationshipByName = Dictionary(
      relationships.enumerated().filter { $1.isDeclared }.map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Whether the entity is of a projection, which alone writes its rows.
  package var isDerived: Bool { !key.isEmpty }

  /// Whether a relationship is a part of the rows' identity.
  package func isKey(relationship number: Int) -> Bool { key.contains(.target(number)) }

  package func attribute(named name: String) -> Int? { attributeByName[name] }
  package func attribute(tagged tag: Tag) -> Int? { attributeByTag[tag] }

  /// Returns the number of the relationship with a name, or `nil` if it is retired, hidden or unknown.
  package func relationship(named name: String) -> Int? { relationshipByName[name] }
}

extension ResolvedEntity {
  /// Whether the entity, an attribute or a relationship has a rule.
  package var hasRules: Bool {
    !rules.isEmpty || attributes.contains { !$0.rules.isEmpty }
      || relationships.contains { $0.least != nil || $0.most != nil }
  }

  /// Returns the path to a field of the entity's own objects.
  package func path(to field: ResolvedPath.Field) -> ResolvedPath {
    switch field {
    case .attribute(let number):
      ResolvedPath(start: index, field: field, type: attributes[number].type, order: attributes[number].order)
    case .target, .id: ResolvedPath(start: index, field: field, type: .uuid)
    case .createdAt, .changedAt: ResolvedPath(start: index, field: field, type: .date)
    case .place: ResolvedPath(start: index, field: field, type: .data)
    }
  }
}

/// The readable fields of an object, by rising tag.
///
/// These are its attributes and to-one links, except retired ones.
///
/// The shape is flat, and omits the parts that only resolution needs: an attribute of the model refers to a dozen
/// objects, all of which would be retained for each value that is read.
package final class RecordLayout: Sendable {
  /// The name of the entity.
  package let entity: String
  package let attributes: [Attribute]
  package let links: [Link]
  /// The tags of the links that are read from the object's own record, rising.
  package let ownLinkTags: [Tag]
  /// The links that are read from elsewhere, by rising tag; see ``Link/foreignNumber``.
  package let foreignLinks: [Link]
  /// The number of the fields that are the key of the entity's objects; 0 for any other entity.
  ///
  /// The keys of groups are the first attributes.
  package let keyCount: Int

  /// Returns the number of an attribute in ``attributes``.
  ///
  /// - Complexity: O(*n*) for *n* attributes: a comparison of two short names takes less time than a hash of one.
  package func attribute(named name: String) -> Int? {
    for number in attributes.indices where attributes[number].name == name { return number }
    return nil
  }

  package struct Attribute: Sendable {
    package let tag: Tag
    package let name: String
    package let type: AttributeType
    /// The value if the record has no field for the attribute.
    package let missingValue: Value
  }

  package struct Link: Sendable {
    package let tag: Tag
    package let name: String
    /// The number of the relationship in the entity.
    package let relationship: Int
    /// The link's number among those that the object's own record does not show; `nil` if the record shows it.
    ///
    /// Another object owns such a link, or it leads to an object only while that object exists
    /// (``ResolvedRelationship/isSoft``).
    package let foreignNumber: Int?
  }

  init(
    entity: String, attributes: [ResolvedAttribute], relationships: [ResolvedRelationship], key: [ResolvedPath.Field]
  ) {
    self.entity = entity
    keyCount = key.count
    self.attributes = attributes.lazy.filter { !$0.isRetired }.map {
      Attribute(tag: $0.tag, name: $0.name, type: $0.type, missingValue: $0.missingValue)
    }
    var links: [Link] = []
    for (number, relationship) in relationships.enumerated() where !relationship.isMany && !relationship.isRetired {
      let isOwn = relationship.isOwner && (!relationship.isSoft || key.contains(.target(number)))
      links.append(
        Link(
          tag: relationship.tag, name: relationship.name, relationship: number,
          foreignNumber: isOwn ? nil : links.count { $0.foreignNumber != nil }))
    }
    self.links = links
    ownLinkTags = links.filter { $0.foreignNumber == nil }.map(\.tag)
    foreignLinks = links.filter { $0.foreignNumber != nil }
  }
}
