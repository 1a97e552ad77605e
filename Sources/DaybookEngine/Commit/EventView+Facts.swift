import DaybookModel

extension EventView {
  /// The tags of the attributes that a `renamed` or `set` event changed.
  func changedTags() throws -> [Tag] {
    guard kind == .renamed || kind == .set else { return [] }
    var tags: [Tag] = []
    var reader = FieldReader(fields)
    while !reader.isAtEnd {
      tags.append(try reader.next().tag)
      _ = try reader.next()
    }
    return tags
  }

  /// Returns the names of the attributes that a `renamed` or `set` event changed.
  ///
  /// Leaves out attributes that the model lacks.
  package func changedAttributes(in model: ResolvedModel) throws -> [String] {
    guard let entity = model.entity(tagged: entity).map({ model.entities[$0] }) else { return [] }
    return try changedTags().compactMap(entity.attribute(tagged:)).map { entity.attributes[$0].name }
  }

  /// Returns the facts that the event is about.
  package func facts(in model: ResolvedModel) throws -> [Fact] {
    var facts: [Fact] = []
    switch kind {
    case .inserted, .deleted: facts.append(.existence(object))
    case .renamed, .set:
      facts.append(.mention(object))
      for tag in try changedTags() { facts.append(.attribute(object, tag)) }
    case .unknown: facts.append(.mention(object))
    case .related, .unrelated:
      facts.append(.mention(object))
      guard let link, let reference = model.relationship(tagged: link.relationship) else { break }
      let isMany = model[reference].isMany
      if !isMany { facts.append(.target(object, link.relationship)) }
      for target in [link.from, link.to] {
        guard let target else { continue }
        facts.append(.mention(target))
        if isMany { facts.append(.link(object, link.relationship, target)) }
      }
    }
    return facts
  }
}
