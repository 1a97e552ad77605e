extension ModelEvolution {
  /// Compares each entity with its former version, and tags its fields.
  mutating func compareEntities() {
    for (number, declared) in model.entities.enumerated() {
      let former = entities[number].map { old.entities[$0] }
      // An index of other objects is another index.
      let formerTimeline = hasSameMembers(number) ? former?.ownIndexes.first : nil
      let (tag, timelineTag) = (former?.tag ?? counter.give(), formerTimeline?.tag ?? counter.give())
      var entity = EncodedEntity(
        tag: tag, timelineTag: timelineTag, name: declared.name, parent: declared.parent,
        isAbstract: declared.isAbstract, nameAttribute: declared.nameAttribute)
      entity.rules = declared.rules
      if let former {
        entity.retired = RetiredFields(retiredIn: former, in: old)
        compare(declared, number, former)
      } else {
        steps.append("add entity \(declared.name)\(declared.kindText)")
      }
      entity.attributes = declared.attributes.indices.map { compareAttribute($0, of: number) }
      entity.relationships = declared.relationships.indices.map { relationship in
        compareRelationship(RelationshipReference(entity: number, relationship: relationship))
      }
      stored.entities.append(entity)
    }
  }

  private mutating func compare(_ declared: Entity, _ number: Int, _ former: ResolvedEntity) {
    if declared.name != former.name { steps.append("rename entity \(former.name) to \(declared.name)") }
    compareRules(of: declared, former)
    let formerName = former.nameAttribute
    let name = declared.nameAttribute.flatMap { lookup.attribute($0, of: number) }
    // A name attribute that was only renamed or moved is the same; a new one has no former number.
    let wasDeclared = old.stored.entities.first { $0.tag == former.tag }?.nameAttribute != nil
    let isSame =
      name.map { name in
        let formerTag = formerName.map { former.attributes[$0].tag }
        return formerTag != nil && tag(ofFormer: name, of: number) == formerTag
      } ?? !wasDeclared
    guard !isSame else { return }
    let was = formerName.map { former.attributes[$0].name } ?? "none"
    steps.append("change the name attribute of \(declared.name) from \(was) to \(declared.nameAttribute ?? "none")")
  }

  private mutating func compareAttribute(_ attribute: Int, of entity: Int) -> EncodedAttribute {
    let declared = model.entities[entity].attributes[attribute]
    let place = "\(model.entities[entity].name).\(declared.name)"
    let isRequired = declared.derivation == nil && !declared.isOptional
    guard let number = attributes[entity][attribute] else {
      let isOfObjects = !formerMembers(of: entity).isEmpty
      if isOfObjects, isRequired, declared.defaultValue.isNull {
        add(place, "is new and required; give it a default, which older objects show too, or make it optional")
      }
      steps.append("add attribute \(place) (\(declared.summary))")
      let valueWhenMissing = isOfObjects ? declared.defaultValue : .null
      return EncodedAttribute(declared, tag: counter.give(), valueWhenMissing: valueWhenMissing)
    }
    let former = old.entities[number.entity].attributes[number.number]
    noteMove("attribute", of: number, to: entity, former.name)
    if former.name != declared.name {
      steps.append("rename attribute \(model.entities[entity].name).\(former.name) to \(declared.name)")
    }
    if isRequired, former.valueWhenMissing.isNull { checkGains(of: number, by: entity, place: place) }
    if former.derivation != nil { checkLosses(of: number, by: entity, place: place) }
    compare(declared, former, place: place, numbers: (number.entity, number.number))
    return EncodedAttribute(declared, tag: former.tag, valueWhenMissing: former.valueWhenMissing)
  }

  /// Returns the names of the declared groups that read an attribute in the old model.
  private func groups(using attribute: Int, of entity: Int) -> [String] {
    old.entities.flatMap { owner in
      owner.ownGroups.filter { groups in
        (groups.keys.map(\.path) + groups.values.compactMap(\.path)).contains {
          old.entities[$0.end].root == old.entities[entity].root && $0.field == .attribute(attribute)
        }
      }.map { "\(owner.name).\($0.name)" }
    }
  }

  private mutating func compare(
    _ declared: Attribute, _ former: ResolvedAttribute, place: String, numbers: (entity: Int, attribute: Int)
  ) {
    guard (declared.derivation == nil) == (former.derivation == nil) else {
      let (was, wanted) = declared.derivation == nil ? ("derived", "stored") : ("stored", "derived")
      return add(place, "is \(was) and cannot become \(wanted); give the new attribute another name")
    }
    guard let type = declared.type else { return }
    guard type == former.type else {
      let problem = "is \(former.type.nounPhrase) and cannot become \(type.nounPhrase)"
      let users = groups(using: numbers.attribute, of: numbers.entity)
      let advice = "add an attribute of another name, and copy the values"
      guard !users.isEmpty else { return add(place, "\(problem); \(advice)") }
      return add(
        place,
        "\(problem), and the groups \(users.joined(separator: ", ")) use it; \(advice), and declare the groups by it")
    }
    noteSteps(from: former, to: declared, of: type, place)
    if !declared.isOptional, former.isOptional {
      check(
        .noNulls(entity: numbers.entity, attribute: numbers.attribute), place,
        "cannot become required while objects lack it; set it in all objects first")
    }
    if declared.rules != former.rules {
      noteRules(
        of: place, former.tag, from: former.rules.map { $0.summary(as: type) },
        to: declared.rules.map { $0.summary(as: type) })
    }
    if declared.order != former.order {
      steps.append("change the order of \(place) from \(former.order.rawValue) to \(declared.order.rawValue)")
    }
  }

  /// Adds the steps of an attribute that may lack a value from now on, or no longer, and of its default.
  mutating func noteSteps(
    from former: ResolvedAttribute, to declared: Attribute, of type: AttributeType, _ place: String
  ) {
    if declared.isOptional != former.isOptional {
      steps.append("make attribute \(place) \(declared.isOptional ? "optional" : "required")")
    }
    if declared.defaultValue != former.defaultValue {
      let (was, wanted) = (former.defaultValue.defaultText(as: type), declared.defaultValue.defaultText(as: type))
      steps.append("change the default of \(place) from \(was) to \(wanted)")
    }
  }
}
