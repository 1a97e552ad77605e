extension ModelValidation {
  mutating func check(_ reference: RelationshipReference, place: String) {
    let relationship = lookup[reference]
    if relationship.isMany, relationship.isOptional {
      add(place, "a to-many relationship may always be empty; leave “optional” out")
    }
    if relationship.isOrdered, !relationship.isMany {
      add(place, "only a to-many relationship has an order; leave “ordered” out, or say “many”")
    }
    if lookup.isMirrored(reference) {
      checkMirrored(relationship, place: place)
    } else if relationship.isAcyclic, relationship.isMany {
      add(place, "only a to-one relationship can be acyclic; say “acyclic” at its inverse")
    } else if relationship.isAcyclic, relationship.target != model.entities[reference.entity].name {
      add(place, "only a relationship to the same entity can be acyclic; leave “acyclic” out")
    }
    checkTargetCounts(of: relationship, place: place)
    checkInverse(of: reference, relationship, place: place)
  }

  private mutating func checkInverse(
    of reference: RelationshipReference, _ relationship: Relationship, place: String
  ) {
    guard let target = lookup.entity(relationship.target) else {
      return add(
        place,
        relationship.target.isEmpty
          ? "has no target; “to” names the entity of the related objects"
          : "the model has no entity “\(relationship.target)”; add it to the model, or relate another entity")
    }
    guard let inverse = lookup.inverse(of: reference), !hasHiddenName(reference) else {
      return add(
        place,
        "\(problem(ofInverse: relationship, target, isHidden: hasHiddenName(reference))); “inverse” names the relationship that \(relationship.target) itself declares and that leads back, and is left out if none does"
      )
    }
    if inverse == reference { return }
    let owner = model.entities[reference.entity].name
    let back = lookup[inverse]
    guard lookup.entity(back.target) == reference.entity else {
      return add(
        place, "its inverse \(relationship.target).\(back.name) leads to \(back.target) and not back to \(owner)")
    }
    guard back.inverse == relationship.name else {
      let itsInverse = back.isOneWay ? "has no inverse" : "says that its inverse is “\(back.inverse)”"
      return add(place, "\(relationship.target).\(back.name) \(itsInverse); each must name the other")
    }
    let isFirst = (reference.entity, reference.relationship) < (inverse.entity, inverse.relationship)
    if relationship.isMany, back.isMany, relationship.isOrdered, back.isOrdered, isFirst {
      add(place, "both sides are ordered; leave “ordered” out here or at \(relationship.target).\(back.name)")
    }
  }

  /// Returns why no relationship of the target is the inverse.
  private func problem(ofInverse relationship: Relationship, _ target: Int, isHidden: Bool) -> String {
    let name = "\(relationship.target).\(relationship.inverse)"
    if relationship.inverse.isEmpty { return "has no inverse" }
    if lookup.attribute(relationship.inverse, of: target) != nil { return "\(name) is an attribute" }
    let isInherited = lookup.relationship(relationship.inverse, of: target) != nil && !isHidden
    return "\(relationship.target) \(isInherited ? "inherits the" : "has no") relationship “\(relationship.inverse)”"
  }

  /// Checks a relationship that is its own inverse: both objects have each link, so it has no direction.
  private mutating func checkMirrored(_ relationship: Relationship, place: String) {
    if relationship.isOrdered {
      add(
        place,
        "is its own inverse and cannot be ordered; leave “ordered” out, or declare a second relationship, and make each the inverse of the other"
      )
    }
    if relationship.isAcyclic {
      add(
        place,
        "is its own inverse and cannot be acyclic; leave “acyclic” out, or declare a second relationship, and make each the inverse of the other"
      )
    }
  }

  /// Returns whether a declaration has the name of a hidden inverse as its inverse, which only the model may give it.
  private func hasHiddenName(_ reference: RelationshipReference) -> Bool {
    let relationships = declared.entities[reference.entity].relationships
    return !allowsHidden && reference.relationship < relationships.count
      && Relationship.isHidden(relationships[reference.relationship].inverse)
  }
}
