extension ModelEvolution {
  /// Assigns new tags to derived attributes with a changed derivation; retires the old ones.
  ///
  /// The sources of derived attributes have their tags and numbers by this step, and keep both: a retired attribute
  /// stays in its place, and a new one comes last.
  mutating func redefineDerived() throws(ModelError) {
    let builder = try ModelBuilder(stored, lookup: lookup)
    for (number, declared) in model.entities.enumerated() {
      for (index, attribute) in declared.attributes.enumerated() {
        guard let derivation = attribute.derivation, let field = attributes[number][index] else { continue }
        let former = old.entities[field.entity]
        let (was, now) = (former.attributes[field.number], builder.attribute(index, of: number))
        let retired = RetiredAttribute(was, of: former, in: old)
        guard builder.derivationTags(derivation, of: number) != retired.derivation || now.order != was.order else {
          continue
        }
        steps.append("redefine attribute \(declared.name).\(attribute.name) (\(attribute.summary))")
        stored.entities[number].retired.attributes.append(retired)
        stored.entities[number].attributes[index].tag = counter.give()
      }
    }
  }

  /// Assigns former tags to unchanged indexes and uniqueness constraints, new tags to others.
  ///
  /// One of other objects than before, because an entity with objects has another place in the hierarchy, is a new one.
  mutating func matchIndexes() throws(ModelError) {
    let builder = try ModelBuilder(stored, lookup: lookup)
    let match = IndexMatching(builder: builder, identities: PathIdentities(builder), former: PathIdentities(old))
    for (number, declared) in model.entities.enumerated() {
      let former = entities[number].map { old.entities[$0] }
      matchIndexes(of: number, declared, former, match)
      matchUnique(of: number, declared, former, match)
      matchGroups(of: number, declared, former, match)
    }
  }

  /// What declarations are compared by.
  private struct IndexMatching {
    let builder: ModelBuilder
    let identities: PathIdentities
    let former: PathIdentities
  }

  private mutating func matchIndexes(
    of number: Int, _ declared: Entity, _ former: ResolvedEntity?, _ match: IndexMatching
  ) {
    var rest = former.map { Array($0.ownIndexes.dropFirst()) } ?? []
    let isKept = hasSameMembers(number)
    var added: [String] = []
    for declaration in declared.indexes {
      let terms = match.identities.terms(match.builder.terms(of: declaration, of: number))
      let tag: Tag
      if isKept, let match = rest.firstIndex(where: { match.former.terms($0.terms) == terms }) {
        tag = rest.remove(at: match).tag
      } else {
        tag = counter.give()
        added.append(declaration.summary)
      }
      stored.entities[number].indexes.append(EncodedIndex(declaration: declaration, tag: tag))
    }
    let lost = Set(rest.map(\.tag))
    let removed = storedForm(of: former)?.indexes.filter { lost.contains($0.tag) }.map(\.declaration.summary) ?? []
    addSteps("index", of: declared.name, added: added, removed: removed)
  }

  private mutating func matchUnique(
    of number: Int, _ declared: Entity, _ former: ResolvedEntity?, _ match: IndexMatching
  ) {
    var rest = former.map { Array($0.ownConstraints) } ?? []
    let isKept = hasSameMembers(number)
    var added: [String] = []
    for names in declared.unique {
      let tag = stored.entities[number].tag
      let fields = match.builder.fields(of: names, of: number).map { match.identities.field($0, of: tag) }
      let constraint: EncodedConstraint
      let match = rest.firstIndex { constraint in
        isKept && constraint.fields.map { match.former.field($0, of: tag) } == fields
      }
      if let match {
        constraint = EncodedConstraint(names: names, tag: rest.remove(at: match).tag)
      } else {
        constraint = EncodedConstraint(names: names, tag: counter.give())
        added.append(constraint.summary)
      }
      stored.entities[number].unique.append(constraint)
    }
    let lost = Set(rest.map(\.tag))
    let removed = storedForm(of: former)?.unique.filter { lost.contains($0.tag) }.map(\.summary) ?? []
    addSteps("uniqueness constraint", of: declared.name, added: added, removed: removed)
  }

  /// Groups keep their tags, and so their rows, if their keys and values are the same; another name is no other groups.
  private mutating func matchGroups(
    of number: Int, _ declared: Entity, _ former: ResolvedEntity?, _ match: IndexMatching
  ) {
    var rest = former.map { Array($0.ownGroups) } ?? []
    let isKept = hasSameMembers(number)
    var added: [String] = []
    for declaration in declared.groups {
      let parts = match.builder.groups(declaration, of: number)
      let wanted = match.identities.groups(parts.keys, parts.values)
      let groups: EncodedGroups
      if isKept, let match = rest.firstIndex(where: { match.former.groups($0.keys, $0.values) == wanted }) {
        let was = rest.remove(at: match)
        groups = EncodedGroups(declaration: declaration, tag: was.tag, keysTag: was.keysTag)
        if was.name != declaration.name {
          steps.append("rename groups \(declared.name) \(was.name) to \(declaration.name)")
        }
      } else {
        groups = EncodedGroups(declaration: declaration, tag: counter.give(), keysTag: counter.give())
        added.append(declaration.summary)
      }
      stored.entities[number].groups.append(groups)
    }
    let lost = Set(rest.map(\.tag))
    let removed = storedForm(of: former)?.groups.filter { lost.contains($0.tag) }.map(\.declaration.summary) ?? []
    addSteps("groups", of: declared.name, added: added, removed: removed)
  }

  private func storedForm(of former: ResolvedEntity?) -> EncodedEntity? {
    former.flatMap { entity in old.stored.entities.first { $0.tag == entity.tag } }
  }

  /// Adds steps for added and removed parts.
  ///
  /// A part that is both, with the same text, is rebuilt.
  private mutating func addSteps(_ kind: String, of entity: String, added: [String], removed: [String]) {
    steps += added.map { "\(removed.contains($0) ? "rebuild" : "add") \(kind) \(entity) \($0)" }
    steps += removed.filter { !added.contains($0) }.map { "remove \(kind) \(entity) \($0)" }
  }
}

private extension EncodedConstraint {
  /// `[name, type]`
  var summary: String { "[\(names.joined(separator: ", "))]" }
}
