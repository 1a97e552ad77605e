import DaybookModel

/// The parts of a model that the write path needs, as plain values in flat lists.
///
/// Access to them retains nothing, whereas a walk over the model's objects costs a dozen retains for each event.
struct FlatModel: Sendable {
  private(set) var entities: [Entity] = []
  private(set) var attributes: [Attribute] = []
  private(set) var relationships: [Relationship] = []
  // Names are separate, because a copy of a value that holds a string may retain the string. Retired parts have no
  // name.
  private(set) var entityNames: [String?] = []
  private(set) var attributeNames: [String?] = []
  private(set) var relationshipNames: [String?] = []
  private(set) var indexes: [Index] = []
  /// The declared groups of all entities, each once.
  private(set) var groups: [KeptGroups] = []
  /// The numbers in ``groups`` of the groups of each entity's objects.
  private(set) var groupNumbers: [Int] = []
  /// The numbers of the entities without a parent, rising.
  private(set) var roots: [Int] = []
  /// Whether an entity has a parent.
  let hasHierarchies: Bool
  /// Writes the keys of the indexes' rows.
  private(set) var keys: RowKeyWriter
  /// The tags of fields that a record must have, by entity, in ascending order.
  private(set) var requiredTags: [Tag] = []

  struct Entity: Sendable {
    let tag: Tag
    /// The number of the root of its hierarchy.
    let root: Int
    /// The tag by which the rows of its objects are found: the root's.
    let rowTag: Tag
    /// The tag in the records of its objects; `nil` for a root.
    let recordTag: Tag?
    /// Whether it has a parent or children.
    let hasRelatives: Bool
    let isAbstract: Bool
    /// The indices of its attributes and relationships in the lists of all entities.
    let attributes: Range<Int>
    let relationships: Range<Int>
    /// The indices of its indexes.
    let indexes: Range<Int>
    /// The indices in ``groupNumbers`` of the groups in which its objects are.
    let groups: Range<Int>
    let requiredTags: Range<Int>
    /// Whether an object must have a link that is not in its record: another object owns it, or either end may.
    var requiresRow: Bool
    let hasConstraints: Bool
    /// Whether an index sorts by the time of the last change.
    let usesChangedAt: Bool
    /// Whether it has derived values over links that stay when an object of it is deleted.
    let hasSoftDerivations: Bool
  }

  struct Attribute: Sendable {
    let tag: Tag
    let type: AttributeType
    /// Whether an insert writes the attribute: it is neither derived nor retired.
    let isStored: Bool
    /// Whether an insert that does not name the attribute still writes a field.
    ///
    /// The field holds the default, or an explicit null.
    let hasDefaultField: Bool
    /// Whether a null is stored as a field, because a missing field would mean another value.
    let hasNullField: Bool
  }

  struct Relationship: Sendable {
    let tag: Tag
    let target: Int
    let inverse: Int
    let inverseTag: Tag
    let isMany: Bool
    let isOrdered: Bool
    let isOwner: Bool
    let isMirrored: Bool
    /// Whether a link is a field in its owner's record, and has no row from there.
    let isInRecord: Bool
    /// Whether a link leads to an object only while that object exists.
    let isSoft: Bool
    let isInverseMany: Bool
    let isInverseOrdered: Bool
    /// Whether the target must have this link, which is not in its record.
    let isInverseRequired: Bool
    /// Whether this side or its inverse may not lead in a cycle.
    let isAcyclic: Bool
    /// Whether an index or a derived value, on either side, depends on its links.
    let hasDependents: Bool
  }

  struct Index: Sendable {
    let tag: Tag
    /// The indices of its terms in ``keys``.
    let terms: Range<Int>
  }

  package init(_ model: ResolvedModel, _ dependents: [Dependents.EntityDependents]) {
    keys = RowKeyWriter(model)
    roots = model.roots
    hasHierarchies = model.hasHierarchies
    var ownGroups: [Range<Int>] = []
    for entity in model.entities {
      let first = groups.count
      groups += entity.ownGroups.map { KeptGroups($0, of: entity, in: model) }
      ownGroups.append(first..<groups.count)
    }
    for entity in model.entities {
      let firstIndex = indexes.count
      for index in entity.indexes { add(index) }
      let firstGroups = groupNumbers.count
      groupNumbers += entity.lineage.flatMap { ownGroups[$0] }
      let firstTag = requiredTags.count
      requiredTags += FlatModel.requiredTags(of: entity)
      entities.append(
        Entity(
          tag: entity.tag, root: entity.root, rowTag: model.entities[entity.root].tag,
          recordTag: model.recordTag(of: entity.index), hasRelatives: entity.hasRelatives,
          isAbstract: entity.isAbstract, attributes: attributes.count..<(attributes.count + entity.attributes.count),
          relationships: relationships.count..<(relationships.count + entity.relationships.count),
          indexes: firstIndex..<indexes.count, groups: firstGroups..<groupNumbers.count,
          requiredTags: firstTag..<requiredTags.count,
          requiresRow: entity.relationships.contains { $0.isRequired && !$0.isInRecord },
          hasConstraints: !entity.constraints.isEmpty, usesChangedAt: !dependents[entity.index].changedAt.isEmpty,
          hasSoftDerivations: entity.isDerived && entity.attributes.contains { $0.derivation != nil }))
      entityNames.append(entity.isRetired ? nil : entity.name)
      attributeNames += entity.attributes.map { $0.isRetired ? nil : $0.name }
      relationshipNames += entity.relationships.map { $0.isRetired ? nil : $0.name }
      for attribute in entity.attributes { add(attribute) }
      for (number, relationship) in entity.relationships.enumerated() {
        let inverse = model.entities[relationship.target].relationships[relationship.inverse]
        // A descendant may have dependents of its own.
        let here = model.members(of: relationship.entity).map { dependents[$0] }
        let there = model.members(of: relationship.target).map { dependents[$0] }
        relationships.append(
          Relationship(
            tag: relationship.tag, target: relationship.target, inverse: relationship.inverse,
            inverseTag: inverse.tag, isMany: relationship.isMany, isOrdered: relationship.isOrdered,
            isOwner: relationship.isOwner, isMirrored: relationship.isMirrored, isInRecord: relationship.isInRecord,
            isSoft: relationship.isSoft, isInverseMany: inverse.isMany,
            isInverseOrdered: inverse.isOrdered,
            isInverseRequired: inverse.isRequired, isAcyclic: relationship.isAcyclic || inverse.isAcyclic,
            hasDependents: here.contains { !$0.targets[number].isEmpty || !$0.derivedOverLinks[number].isEmpty }
              || there.contains {
                !$0.targets[relationship.inverse].isEmpty || !$0.derivedOverLinks[relationship.inverse].isEmpty
              }))
      }
    }
  }

  /// Returns the number of an entity's attribute with a tag, or `nil` if it is unknown.
  ///
  /// - Complexity: O(log *n*) for *n* attributes, which are numbered by rising tag.
  func attribute(tagged tag: Tag, of entity: Int) -> Int? {
    let places = entities[entity].attributes
    var (start, end) = (places.lowerBound, places.upperBound)
    while start < end {
      let middle = start + (end - start) / 2
      if attributes[middle].tag < tag { start = middle + 1 } else { end = middle }
    }
    return start < places.upperBound && attributes[start].tag == tag ? start - places.lowerBound : nil
  }

  subscript(_ reference: RelationshipReference) -> Relationship {
    @inline(__always) get {
      relationships[entities[reference.entity].relationships.lowerBound + reference.relationship]
    }
  }

  private mutating func add(_ attribute: ResolvedAttribute) {
    let isStored = attribute.derivation == nil && !attribute.isRetired
    let hasNullField = !attribute.valueWhenMissing.isNull
    attributes.append(
      Attribute(
        tag: attribute.tag, type: attribute.type, isStored: isStored,
        hasDefaultField: isStored && (hasNullField || !attribute.defaultValue.isNull), hasNullField: hasNullField))
  }

  private mutating func add(_ index: ResolvedIndex) {
    indexes.append(Index(tag: index.tag, terms: keys.add(index.terms)))
  }

  private static func requiredTags(of entity: ResolvedEntity) -> [Tag] {
    let attributes = entity.attributes.filter { !$0.isOptional && !$0.isRetired && $0.derivation == nil }
    let links = entity.relationships.filter { $0.isRequired && $0.isInRecord }
    return (attributes.map(\.tag) + links.map(\.tag)).sorted()
  }
}

private extension ResolvedRelationship {
  /// Whether an object must have a target.
  var isRequired: Bool { !isMany && !isOptional && !isRetired }
}
