/// A relationship with its tag, and the numbers of its target and inverse.
package final class ResolvedRelationship: Sendable {
  package let tag: Tag
  /// The number of the entity that declares it.
  package let entity: Int
  package let name: String
  /// The number of the target entity.
  package let target: Int
  /// The number of the inverse among the target's relationships.
  package let inverse: Int
  package let isMany: Bool
  package let isOptional: Bool
  package let isOrdered: Bool
  /// Whether the links of this relationship and its inverse belong to this side.
  ///
  /// They belong to the to-one side; if both are to-one or both to-many, to the ordered side, or else to the side that
  /// the model declares first. A relationship that is its own inverse owns its links.
  package let isOwner: Bool
  /// Whether it is its own inverse: each link is shown by both of its objects, under one tag.
  ///
  /// The object with the lesser identity is the owner of a link, and the subject of its events.
  package let isMirrored: Bool
  /// Whether a link of it leads to an object only while that object exists.
  ///
  /// The links of derived entities are such links: a row keeps the identity of its target when the target is deleted.
  package let isSoft: Bool
  package let deleteRule: DeleteRule
  /// Whether a commit that would close a cycle is refused.
  package let isAcyclic: Bool
  /// Whether the objects of the entity lack it: a later model removed it, or another entity of the hierarchy declares it.
  package let isRetired: Bool
  /// Whether it is only the way back over a one-way relationship, which no model declares.
  package let isHidden: Bool
  /// Whether the present model declares it: it is neither retired nor hidden.
  package var isDeclared: Bool { !isRetired && !isHidden }
  /// The least and the greatest number of targets of a to-many relationship; `nil` for no limit.
  package let least: Int?
  package let most: Int?

  package init(
    tag: Tag, entity: Int, name: String, target: Int, inverse: Int, isMany: Bool, isOptional: Bool, isOrdered: Bool,
    isOwner: Bool, isMirrored: Bool = false, isSoft: Bool = false, deleteRule: DeleteRule, isAcyclic: Bool = false,
    isRetired: Bool,
    least: Int? = nil,
    most: Int? = nil
  ) {
    self.tag = tag
    self.entity = entity
    self.name = name
    isHidden = Relationship.isHidden(name)
    self.target = target
    self.inverse = inverse
    self.isMany = isMany
    self.isOptional = isOptional
    self.isOrdered = isOrdered
    self.isOwner = isOwner
    self.isMirrored = isMirrored
    self.isSoft = isSoft
    self.deleteRule = deleteRule
    self.isAcyclic = isAcyclic
    self.isRetired = isRetired
    (self.least, self.most) = (least, most)
  }
}

extension ResolvedRelationship {
  /// Whether a link is a field in the record of its owner, so that only the way back has a row.
  ///
  /// The links to many objects have rows in both directions, and so have all links of a relationship that is its own
  /// inverse, because either object may be the owner.
  package var isInRecord: Bool { isOwner && !isMany && !isMirrored }

  /// `least 1`, `most 5`
  var limits: [String] { Relationship.limits(least, most) }
}
