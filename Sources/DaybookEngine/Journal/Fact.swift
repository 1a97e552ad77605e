import DaybookModel

/// A fact that events change: the existence of an object, a value or a link.
package enum Fact: Hashable {
  /// The object was inserted or deleted.
  case existence(ObjectID)
  /// An event named the object in another way.
  case mention(ObjectID)
  case attribute(ObjectID, Tag)
  /// The target of a to-one relationship.
  case target(ObjectID, Tag)
  /// One link of a to-many relationship, named from its owner.
  case link(LinkIdentity)
}

extension Fact {
  /// The objects that the fact is about.
  package var objects: Set<ObjectID> {
    switch self {
    case .existence(let id), .mention(let id), .attribute(let id, _), .target(let id, _): [id]
    case .link(let link): [link.owner, link.target]
    }
  }
}

/// A link, named by its owner.
package struct LinkIdentity: Hashable {
  package let owner: ObjectID
  package let relationship: Tag
  package let target: ObjectID

  package init(owner: ObjectID, relationship: Tag, target: ObjectID) {
    self.owner = owner
    self.relationship = relationship
    self.target = target
  }
}

extension LinkIdentity {
  /// Returns the link that an event made or removed, or `nil` if it has none.
  ///
  /// - Parameter isFormer: Whether to return the removed link instead of the new one.
  package init?(_ event: EventView, isFormer: Bool) {
    guard let relationship = event.link?.relationship, let target = isFormer ? event.link?.from : event.link?.to else {
      return nil
    }
    self.init(owner: event.object, relationship: relationship, target: target)
  }

  /// Names a link between an object and a target of one of its relationships by the link's owner.
  package init(
    from object: ObjectID, over reference: RelationshipReference, to target: ObjectID, in model: ResolvedModel
  ) {
    let relationship = model[reference]
    let isOwner = relationship.isMirrored ? object <= target : relationship.isOwner
    self.init(
      owner: isOwner ? object : target,
      relationship: relationship.isOwner ? relationship.tag : model[model.inverse(of: reference)].tag,
      target: isOwner ? target : object)
  }

  /// The fact that the link is about, seen from its owner.
  package func ownerFact(in model: ResolvedModel) -> Fact {
    guard let reference = model.relationship(tagged: relationship), model[reference].isMany else {
      return .target(owner, relationship)
    }
    return .link(self)
  }

  /// The facts of the objects to which the link belongs: of its owner, or of both objects if the relationship is to-one and
  /// its own inverse.
  package func ownFacts(in model: ResolvedModel) -> [Fact] {
    let fact = ownerFact(in: model)
    guard let reference = model.relationship(tagged: relationship), model[reference].isMirrored, owner != target,
      let partner = partnerFact(in: model)
    else { return [fact] }
    return [fact, partner]
  }

  /// The fact that a one-to-one link is about for its target, or `nil` for any other link.
  package func partnerFact(in model: ResolvedModel) -> Fact? {
    guard let reference = model.relationship(tagged: relationship), !model[reference].isMany else { return nil }
    let inverse = model[model.inverse(of: reference)]
    return inverse.isMany ? nil : .target(target, inverse.tag)
  }
}
