/// The places of entities in hierarchies, and fields that move along them.
extension ModelEvolution {
  /// A field that the new model declares.
  enum DeclaredField {
    case attribute(Int, of: Int)
    case relationship(Int, of: Int)
  }

  /// Adds the complaints about fields without a former one, but for those that another entity of the hierarchy had.
  mutating func addOpenComplaints(_ complaints: [(field: DeclaredField, message: String)]) {
    for complaint in complaints {
      switch complaint.field {
      case .attribute(let number, let entity) where attributes[entity][number] == nil:
        let declared = model.entities[entity]
        add("\(declared.name).\(declared.attributes[number].name)", complaint.message)
      case .relationship(let number, let entity) where relationships[entity][number] == nil:
        let declared = model.entities[entity]
        add("\(declared.name).\(declared.relationships[number].name)", complaint.message)
      case .attribute, .relationship: continue
      }
    }
  }

  /// Matches new fields with fields that an ancestor or a descendant no longer declares.
  mutating func matchMovedFields() {
    guard model.entities.contains(where: { $0.parent != nil }) else { return }
    let numbers = Dictionary(
      uniqueKeysWithValues: entities.enumerated().compactMap { number, former in former.map { ($0, number) } })
    for (number, declared) in model.entities.enumerated() {
      let kin = old.entities.filter { former in
        guard !former.isRetired, let other = numbers[former.index], other != number else { return false }
        return lookup.ancestors[number].contains(other) || lookup.ancestors[other].contains(number)
      }
      for (index, attribute) in declared.attributes.enumerated() where attributes[number][index] == nil {
        let found = kin.compactMap { former in
          former.formerField(attribute.name, attribute.renamedFrom, former.livingAttributes)
        }.filter { field in !attributes.contains { $0.contains(field) } }
        attributes[number][index] = only(found, "\(declared.name).\(attribute.name)")
      }
      for (index, relationship) in declared.relationships.enumerated() where relationships[number][index] == nil {
        let found = kin.compactMap { former in
          former.formerField(relationship.name, relationship.renamedFrom, former.livingRelationships)
        }.filter { field in !relationships.contains { $0.contains(field) } }
        relationships[number][index] = only(found, "\(declared.name).\(relationship.name)")
      }
    }
  }

  private mutating func only(_ found: [FormerField], _ place: String) -> FormerField? {
    guard found.count > 1 else { return found.first }
    let owners = found.map { old.entities[$0.entity].name }.joined(separator: ", ")
    add(
      place,
      "could be the field of \(owners), whose values would be lost but for one; keep those fields under other names, "
        + "copy their values, and remove them later")
    return nil
  }

  // MARK: Members

  /// Returns the entities of the old model whose objects are objects of a new one.
  func formerMembers(of number: Int) -> Set<Int> {
    Set(entities.indices.filter { $0 == number || lookup.ancestors[$0].contains(number) }.compactMap { entities[$0] })
  }

  /// Returns the entities that both models have and whose objects had a field.
  private func holders(of field: FormerField) -> Set<Int> {
    let owner = old.entities[field.entity]
    return Set([owner.index] + owner.descendants).intersection(entities.compactMap { $0 })
  }

  /// Returns whether the objects of an entity were objects of it before.
  func hasSameMembers(_ number: Int) -> Bool {
    guard let former = entities[number] else { return true }
    return formerMembers(of: number) == holders(of: FormerField(entity: former, number: 0))
  }

  /// Adds the checks that no objects newly have a required field of which they lack the value.
  mutating func checkGains(of field: FormerField, by number: Int, place: String) {
    for member in formerMembers(of: number).subtracting(holders(of: field)).sorted() {
      check(
        .noObjects(entity: member), place,
        "is required, and objects of \(old.entities[member].name) lack it; make it optional first")
    }
  }

  /// Adds the checks that no objects lose a field with links or derived values.
  mutating func checkLosses(of field: FormerField, by number: Int, place: String) {
    for member in holders(of: field).subtracting(formerMembers(of: number)).sorted() {
      check(
        .noObjects(entity: member), place,
        "moves away from \(old.entities[member].name), which has objects; delete them first, or keep it there")
    }
  }

  /// Adds the steps of a field that another entity declares from now on.
  mutating func noteMove(_ kind: String, of field: FormerField, to number: Int, _ name: String) {
    guard entities[number] != field.entity else { return }
    steps.append("move \(kind) \(name) from \(old.entities[field.entity].name) to \(model.entities[number].name)")
    for member in holders(of: field).subtracting(formerMembers(of: number)).sorted() {
      steps.append("remove \(kind) \(name) of the objects of \(old.entities[member].name)")
    }
  }

  /// Returns the former tag of an attribute that an entity has, also of an ancestor; `nil` for a new one.
  func tag(ofFormer attribute: Int, of number: Int) -> Tag? {
    let origin = lookup.attributeOrigins[number][attribute]
    return attributes[origin.entity][origin.number].map { old.entities[$0.entity].attributes[$0.number].tag }
  }

  // MARK: Parents

  /// Compares the parents of the entities, of which none may be lost.
  mutating func compareHierarchies() {
    for (number, declared) in model.entities.enumerated() {
      guard let former = entities[number].map({ old.entities[$0] }) else { continue }
      compareParents(of: number, declared, former)
      guard declared.isAbstract != former.isAbstract else { continue }
      steps.append(
        declared.isAbstract ? "make entity \(declared.name) abstract" : "allow objects of \(declared.name) itself")
      if declared.isAbstract {
        check(
          .noObjects(entity: former.index), declared.name,
          "cannot become abstract while it has objects of its own; delete them first")
      }
    }
  }

  private mutating func compareParents(of number: Int, _ declared: Entity, _ former: ResolvedEntity) {
    let ancestors = lookup.ancestors[number]
    let formerAncestors = former.lineage.dropLast()
    for ancestor in formerAncestors where !ancestors.contains(where: { entities[$0] == ancestor }) {
      let name = old.entities[ancestor].name
      add(
        declared.name,
        "is a kind of \(name) and must stay one, because its objects have the fields of \(name); keep the parent, which "
          + "may be abstract and without fields, or declare a new entity and copy the objects")
      return
    }
    let parent = ancestors.first
    guard parent.flatMap({ entities[$0] }) != former.parent || (parent != nil && former.parent == nil) else { return }
    guard let parent else { return }
    steps.append("give \(declared.name) the parent \(model.entities[parent].name)")
    gainedAncestors.formUnion(ancestors.filter { !isFormer($0, among: formerAncestors) })
  }

  private func isFormer(_ number: Int, among formerAncestors: ArraySlice<Int>) -> Bool {
    entities[number].map { formerAncestors.contains($0) } ?? false
  }

  /// Adds the rules that objects newly meet to those that are checked when the model changes.
  mutating func noteGainedRules() {
    for number in gainedAncestors {
      let entity = stored.entities[number]
      changedRules.insert(entity.tag)
      changedRules.formUnion(entity.attributes.map(\.tag) + entity.relationships.map(\.tag))
    }
  }
}

private extension ResolvedEntity {
  /// Returns a field by the name that it has or had.
  func formerField(_ name: String, _ renamedFrom: String?, _ numbers: [String: Int]) -> ModelEvolution.FormerField? {
    let number = renamedFrom.flatMap { numbers[$0] } ?? numbers[name]
    return number.map { ModelEvolution.FormerField(entity: index, number: $0) }
  }
}
