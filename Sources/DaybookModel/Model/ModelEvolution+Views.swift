extension ModelEvolution {
  /// Assigns new tags to derived attributes with a changed derivation; retires the old ones.
  ///
  /// The sources of derived attributes have their tags and numbers by this step, and keep both: a retired attribute
  /// stays in its place, and a new one comes last.
  mutating func redefineDerived() {
    let builder = ModelBuilder(model, retired: retired)
    for (number, declared) in model.entities.enumerated() {
      guard let former = entities[number].map({ old.entities[$0] }) else { continue }
      for (index, attribute) in declared.attributes.enumerated() where attribute.derivation != nil {
        guard let was = attributes[number][index].map({ former.attributes[$0] }) else { continue }
        let now = builder.attribute(index, of: number)
        guard now.derivation != was.derivation || now.order != was.order else { continue }
        steps.append("redefine attribute \(declared.name).\(attribute.name) (\(attribute.summary))")
        retired.attributes[former.tag, default: []].append(was.retired())
        model.entities[number].attributes[index].tag = counter.give()
      }
    }
  }

  /// Assigns former tags to unchanged indexes and uniqueness constraints, new tags to others.
  mutating func matchViews() {
    let builder = ModelBuilder(model, retired: retired)
    for (number, declared) in model.entities.enumerated() {
      let former = entities[number].map { old.entities[$0] }
      matchIndexes(of: number, declared, former, builder)
      matchUnique(of: number, declared, former, builder)
    }
  }

  private mutating func matchIndexes(
    of number: Int, _ declared: Entity, _ former: ResolvedEntity?, _ builder: ModelBuilder
  ) {
    var rest = former.map { Array($0.views.dropFirst()) } ?? []
    var added: [String] = []
    for (index, declaration) in declared.indexes.enumerated() {
      let terms = builder.terms(of: declaration, of: number)
      if let match = rest.firstIndex(where: { $0.terms == terms }) {
        model.entities[number].indexes[index].tag = rest.remove(at: match).tag
      } else {
        model.entities[number].indexes[index].tag = counter.give()
        added.append(declaration.summary)
      }
    }
    let formerIndexes = formerDeclaration(of: former)?.indexes ?? []
    let removed = rest.compactMap { view in formerIndexes.first { $0.tag == view.tag }?.summary }
    addSteps("index", of: declared.name, added: added, removed: removed)
  }

  private mutating func matchUnique(
    of number: Int, _ declared: Entity, _ former: ResolvedEntity?, _ builder: ModelBuilder
  ) {
    var rest = former?.constraints ?? []
    var tags: [Tag] = []
    var added: [String] = []
    for names in declared.unique {
      let fields = builder.fields(of: names, of: number)
      if let match = rest.firstIndex(where: { $0.fields == fields }) {
        tags.append(rest.remove(at: match).tag)
      } else {
        tags.append(counter.give())
        added.append("[\(names.joined(separator: ", "))]")
      }
    }
    model.entities[number].uniqueTags = tags
    let formerDeclaration = formerDeclaration(of: former)
    let removed = rest.compactMap { constraint -> String? in
      guard let formerDeclaration, let index = formerDeclaration.uniqueTags.firstIndex(of: constraint.tag) else {
        return nil
      }
      return "[\(formerDeclaration.unique[index].joined(separator: ", "))]"
    }
    addSteps("uniqueness constraint", of: declared.name, added: added, removed: removed)
  }

  private func formerDeclaration(of entity: ResolvedEntity?) -> Entity? {
    entity.flatMap { entity in old.model.entities.first { $0.tag == entity.tag } }
  }

  /// Adds steps for added and removed parts.
  ///
  /// A part that is both, with the same text, is rebuilt.
  private mutating func addSteps(_ kind: String, of entity: String, added: [String], removed: [String]) {
    steps += added.map { "\(removed.contains($0) ? "rebuild" : "add") \(kind) \(entity) \($0)" }
    steps += removed.filter { !added.contains($0) }.map { "remove \(kind) \(entity) \($0)" }
  }
}
