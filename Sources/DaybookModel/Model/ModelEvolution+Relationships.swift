extension ModelEvolution {
  /// Compares a relationship with its former version, and returns it with its tag.
  mutating func compareRelationship(_ reference: RelationshipReference) -> EncodedRelationship {
    let declared = lookup[reference]
    let place = "\(model.entities[reference.entity].name).\(declared.name)"
    let isRequired = !declared.isMany && !declared.isOptional
    guard let number = relationships[reference.entity][reference.relationship] else {
      if isRequired {
        for member in formerMembers(of: reference.entity).sorted() {
          check(
            .noObjects(entity: member), place,
            "is new and required, and there are objects without it; make it optional")
        }
      }
      let inverse = lookup.isMirrored(reference) ? ", its own inverse" : ""
      if !declared.isHidden { steps.append("add relationship \(place) (\(declared.summary)\(inverse))") }
      return EncodedRelationship(declared, tag: counter.give(), isOwner: lookup.isOwner(reference))
    }
    let former = old.entities[number.entity].relationships[number.number]
    if !declared.isHidden { noteMove("relationship", of: number, to: reference.entity, former.name) }
    if former.name != declared.name { noteRename(of: declared, former, in: model.entities[reference.entity].name) }
    if isRequired { checkGains(of: number, by: reference.entity, place: place) }
    checkLosses(of: number, by: reference.entity, place: place)
    compareEnds(of: reference, former, place: place)
    compare(declared, former, place: place, numbers: (number.entity, number.number))
    return EncodedRelationship(declared, tag: former.tag, isOwner: former.isOwner)
  }

  /// Adds the step of a relationship with another name; an inverse that stays hidden is renamed with what it leads back
  /// over.
  private mutating func noteRename(of declared: Relationship, _ former: ResolvedRelationship, in entity: String) {
    switch (former.isHidden, declared.isHidden) {
    case (true, true): break
    case (true, false):
      steps.append("give \(declared.target).\(declared.inverse) the inverse \(entity).\(declared.name)")
    case (false, true): steps.append("make relationship \(declared.target).\(declared.inverse) one-way")
    case (false, false): steps.append("rename relationship \(entity).\(former.name) to \(declared.name)")
    }
  }

  /// Refuses another target or inverse, because existing links could not follow.
  private mutating func compareEnds(
    of reference: RelationshipReference, _ former: ResolvedRelationship, place: String
  ) {
    let advice = "keep it, or remove both sides and declare new ones under other names"
    let inverse = lookup.validInverse(of: reference)
    let formerTarget = old.entities[former.target]
    let formerInverse = relationships[inverse.entity][inverse.relationship]
    let wanted = FormerField(entity: former.target, number: former.inverse)
    // An inverse that moves to another entity of its hierarchy is the same.
    if formerInverse == wanted { return }
    let isMirrored = lookup.isMirrored(reference)
    if isMirrored || former.isMirrored {
      let advice = "declare a new relationship under another name, and relate the objects again"
      return add(
        place,
        former.isMirrored
          ? "is its own inverse and cannot get another one; \(advice)"
          : "is not its own inverse and cannot become it; \(advice)")
    }
    guard entities[inverse.entity] == former.target else {
      return add(
        place, "leads to \(formerTarget.name) and cannot lead to \(lookup[reference].target); \(advice)")
    }
    let was = formerTarget.relationships[former.inverse].name
    add(place, "has the inverse “\(was)” and cannot have “\(lookup[reference].inverse)”; \(advice)")
  }

  private mutating func compare(
    _ declared: Relationship, _ former: ResolvedRelationship, place: String, numbers: (entity: Int, relationship: Int)
  ) {
    let advice = "declare a new relationship under another name, and relate the objects again"
    if declared.isMany != former.isMany {
      let (was, wanted) = former.isMany ? ("to-many", "to-one") : ("to-one", "to-many")
      return add(place, "is \(was) and cannot become \(wanted); \(advice)")
    }
    if declared.isOrdered != former.isOrdered {
      let (was, wanted) = former.isOrdered ? ("ordered", "unordered") : ("unordered", "ordered")
      return add(place, "is \(was) and cannot become \(wanted); \(advice)")
    }
    if declared.isOptional != former.isOptional {
      steps.append("make relationship \(place) \(declared.isOptional ? "optional" : "required")")
    }
    if !declared.isOptional, former.isOptional {
      check(
        .noEmptyLinks(entity: numbers.entity, relationship: numbers.relationship), place,
        "cannot become required while objects lack it; relate all objects first")
    }
    if declared.isAcyclic != former.isAcyclic {
      steps.append(declared.isAcyclic ? "make relationship \(place) acyclic" : "allow cycles of relationship \(place)")
    }
    if declared.isAcyclic, !former.isAcyclic {
      check(
        .noCycles(entity: numbers.entity, relationship: numbers.relationship), place,
        "cannot become acyclic while it leads in a cycle; relate one of the objects elsewhere first")
    }
    if declared.least != former.least || declared.most != former.most {
      noteRules(of: place, former.tag, from: former.limits, to: declared.limits)
    }
    if declared.deleteRule != former.deleteRule {
      let (was, wanted) = (former.deleteRule.rawValue, declared.deleteRule.rawValue)
      steps.append("change the delete rule of \(place) from \(was) to \(wanted)")
    }
  }
}
