/// An entity with its dense numbers and tags.
///
/// It lists the attributes and relationships of its whole hierarchy, so that a number means the same field in each entity
/// of the hierarchy; those that its objects lack are marked as retired. Its indexes, constraints and groups are those that
/// have rows of its objects: its ancestors' come first, with the same numbers as there.
package final class ResolvedEntity: Sendable {
  package let index: Int
  package let tag: Tag
  package let name: String
  package let isRetired: Bool
  /// Whether no object of the entity itself can be inserted.
  package let isAbstract: Bool
  /// The numbers of the entities from the root of its hierarchy to itself.
  package let lineage: [Int]
  /// The numbers of the entities below it, rising; retired ones too.
  package let descendants: [Int]
  /// Stored, derived and retired attributes; what other entities of the hierarchy declare counts as retired here.
  package let attributes: [ResolvedAttribute]
  package let relationships: [ResolvedRelationship]
  /// The numbers of the attributes that the entity itself declares or has retired, rising.
  package let ownAttributes: [Int]
  /// The numbers of the relationships that the entity itself declares or has retired, rising.
  package let ownRelationships: [Int]
  /// The number of the name attribute.
  package let nameAttribute: Int?
  /// The timeline, followed by the model's indexes in their order, the ancestors' before its own.
  package let indexes: [ResolvedIndex]
  package let constraints: [ResolvedConstraint]
  /// The groups that are kept up to date with the objects.
  package let groups: [ResolvedGroups]
  /// How many of the indexes, constraints and groups its ancestors declare.
  package let inheritedCounts: InheritedCounts
  /// The conditions that its objects meet, as filters, beside its ancestors' conditions.
  package let rules: [String]
  /// The fields that are the identity of a derived entity's rows; empty for any other entity.
  package let key: [ResolvedPath.Field]
  /// The fields of its objects that are read.
  package let recordLayout: RecordLayout

  private let attributeByName: [String: Int]
  private let attributeByTag: [Tag: Int]
  private let relationshipByName: [String: Int]

  init(
    index: Int, tag: Tag, name: String, isRetired: Bool, isAbstract: Bool = false, place: EntityPlace,
    fields: EntityFields, nameAttribute: Int?, indexes: [ResolvedIndex],
    constraints: [ResolvedConstraint], groups: [ResolvedGroups] = [],
    inheritedCounts: InheritedCounts = InheritedCounts(), rules: [String] = [], key: [ResolvedPath.Field] = []
  ) {
    self.index = index
    self.tag = tag
    self.name = name
    self.isRetired = isRetired
    self.isAbstract = isAbstract
    (lineage, descendants) = (place.lineage, place.descendants)
    let (attributes, relationships) = (fields.attributes, fields.relationships)
    self.attributes = attributes
    self.relationships = relationships
    (ownAttributes, ownRelationships) = (fields.ownAttributes, fields.ownRelationships)
    self.nameAttribute = nameAttribute
    self.indexes = indexes
    self.constraints = constraints
    self.groups = groups
    self.inheritedCounts = inheritedCounts
    self.rules = rules
    self.key = key
    recordLayout = RecordLayout(
      entity: name, kinds: place.names, attributes: attributes, relationships: relationships, key: key)
    attributeByName = Dictionary(
      attributes.enumerated().filter { !$1.isRetired }.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    attributeByTag = Dictionary(
      attributes.enumerated().map { ($1.tag, $0) }, uniquingKeysWith: { first, _ in first })
    relationshipByName = Dictionary(
      relationships.enumerated().filter { $1.isDeclared }.map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The counts of what an entity has of its ancestors.
  package struct InheritedCounts: Sendable {
    package var indexes = 0
    package var constraints = 0
    package var groups = 0
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
  /// The number of the root of its hierarchy, by which the rows of its objects are found.
  package var root: Int { lineage[0] }
  /// The number of its parent, or `nil` for a root.
  package var parent: Int? { lineage.count > 1 ? lineage[lineage.count - 2] : nil }
  /// Whether it has a parent or children.
  package var hasRelatives: Bool { lineage.count > 1 || !descendants.isEmpty }

  /// Returns whether its objects are objects of another entity: of itself or an ancestor.
  package func isKind(of entity: ResolvedEntity) -> Bool {
    let depth = entity.lineage.count
    return lineage.count >= depth && lineage[depth - 1] == entity.index
  }

  /// The indexes that it declares, beginning with its timeline.
  package var ownIndexes: ArraySlice<ResolvedIndex> { indexes.dropFirst(inheritedCounts.indexes) }
  /// The constraints that it declares.
  package var ownConstraints: ArraySlice<ResolvedConstraint> { constraints.dropFirst(inheritedCounts.constraints) }
  /// The groups that it declares.
  package var ownGroups: ArraySlice<ResolvedGroups> { groups.dropFirst(inheritedCounts.groups) }

  /// Whether the entity, or an attribute or a relationship that it declares, has a rule.
  package var hasRules: Bool {
    !rules.isEmpty || ownAttributes.contains { !attributes[$0].rules.isEmpty }
      || ownRelationships.contains { relationships[$0].least != nil || relationships[$0].most != nil }
  }

  /// Returns the path to a field of the entity's own objects.
  package func path(to field: ResolvedPath.Field) -> ResolvedPath {
    switch field {
    case .attribute(let number):
      ResolvedPath(start: index, field: field, type: attributes[number].type, order: attributes[number].order)
    case .target, .id: ResolvedPath(start: index, field: field, type: .uuid)
    case .createdAt, .changedAt: ResolvedPath(start: index, field: field, type: .date)
    case .entity: ResolvedPath(start: index, field: field, type: .string)
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
  /// The names of the entities from the root of the hierarchy to this one.
  package let kinds: [String]
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
    /// Another object owns such a link, its relationship is its own inverse (``ResolvedRelationship/isInRecord``), or it
    /// leads to an object only while that object exists (``ResolvedRelationship/isSoft``).
    package let foreignNumber: Int?
  }

  init(
    entity: String, kinds: [String], attributes: [ResolvedAttribute], relationships: [ResolvedRelationship],
    key: [ResolvedPath.Field]
  ) {
    self.entity = entity
    self.kinds = kinds
    keyCount = key.count
    self.attributes = attributes.lazy.filter { !$0.isRetired }.map {
      Attribute(tag: $0.tag, name: $0.name, type: $0.type, missingValue: $0.missingValue)
    }
    var links: [Link] = []
    for (number, relationship) in relationships.enumerated() where !relationship.isMany && !relationship.isRetired {
      let isOwn = relationship.isInRecord && (!relationship.isSoft || key.contains(.target(number)))
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
