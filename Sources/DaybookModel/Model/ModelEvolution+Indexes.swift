extension ModelEvolution {
  /// Assigns new tags to derived attributes with a changed derivation; retires the old ones.
  ///
  /// The sources of derived attributes have their tags and numbers by this step, and keep both: a retired attribute
  /// stays in its place, and a new one comes last.
  mutating func redefineDerived() {
    let builder = ModelBuilder(stored, lookup: lookup)
    for (number, declared) in model.entities.enumerated() {
      guard let former = entities[number].map({ old.entities[$0] }) else { continue }
      for (index, attribute) in declared.attributes.enumerated() where attribute.derivation != nil {
        guard let was = attributes[number][index].map({ former.attributes[$0] }) else { continue }
        let now = builder.attribute(index, of: number)
        guard now.derivation != was.derivation || now.order != was.order else { continue }
        steps.append("redefine attribute \(declared.name).\(attribute.name) (\(attribute.summary))")
        stored.entities[number].retired.attributes.append(RetiredAttribute(was, of: former, in: old))
        stored.entities[number].attributes[index].tag = counter.give()
      }
    }
  }

  /// Assigns former tags to unchanged indexes and uniqueness constraints, new tags to others.
  mutating func matchIndexes() {
    let builder = ModelBuilder(stored, lookup: lookup)
    for (number, declared) in model.entities.enumerated() {
      let former = entities[number].map { old.entities[$0] }
      matchIndexes(of: number, declared, former, builder)
      matchUnique(of: number, declared, former, builder)
      matchGroups(of: number, declared, former, builder)
    }
  }

  private mutating func matchIndexes(
    of number: Int, _ declared: Entity, _ former: ResolvedEntity?, _ builder: ModelBuilder
  ) {
    var rest = former.map { Array($0.indexes.dropFirst()) } ?? []
    var added: [String] = []
    for declaration in declared.indexes {
      let terms = builder.terms(of: declaration, of: number)
      let tag: Tag
      if let match = rest.firstIndex(where: { $0.terms == terms }) {
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
    of number: Int, _ declared: Entity, _ former: ResolvedEntity?, _ builder: ModelBuilder
  ) {
    var rest = former?.constraints ?? []
    var added: [String] = []
    for names in declared.unique {
      let fields = builder.fields(of: names, of: number)
      let constraint: EncodedConstraint
      if let match = rest.firstIndex(where: { $0.fields == fields }) {
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
    of number: Int, _ declared: Entity, _ former: ResolvedEntity?, _ builder: ModelBuilder
  ) {
    var rest = former?.groups ?? []
    var added: [String] = []
    for declaration in declared.groups {
      let parts = builder.groups(declaration, of: number)
      let groups: EncodedGroups
      if let match = rest.firstIndex(where: { $0.keys == parts.keys && $0.values == parts.values }) {
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
