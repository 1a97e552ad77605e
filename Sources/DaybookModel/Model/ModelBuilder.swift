/// Resolves a valid model whose entities, attributes and relationships have tags.
///
/// The dense numbers are the ranks of the tags among all tags ever assigned, including retired ones; so they follow
/// from the stored form alone, and stay when the model evolves. The builder translates the numbers of the declarations,
/// which ``ModelLookup`` returns.
struct ModelBuilder {
  let lookup: ModelLookup
  let retired: RetiredParts
  /// The tags of all entities, retired ones included, in ascending order.
  let entityTags: [Tag]
  /// The dense number of each declared entity, and of its attributes and relationships.
  private(set) var entityNumbers: [Int] = []
  private(set) var attributeNumbers: [[Int]] = []
  private(set) var relationshipNumbers: [[Int]] = []

  private var model: Model { lookup.model }

  init(_ model: Model, retired: RetiredParts) {
    lookup = ModelLookup(model)
    self.retired = retired
    let entityTags = (model.entities.map { $0.tag! } + retired.entities.map(\.tag)).sorted()
    self.entityTags = entityTags
    entityNumbers = ModelBuilder.ranks(of: model.entities.map { $0.tag! }, with: retired.entities.map(\.tag))
    for entity in model.entities {
      let tag = entity.tag!
      let attributes = entity.attributes.map { $0.tag! }
      let relationships = entity.relationships.map { $0.tag! }
      attributeNumbers.append(ModelBuilder.ranks(of: attributes, with: retired.attributes[tag, default: []].map(\.tag)))
      relationshipNumbers.append(
        ModelBuilder.ranks(of: relationships, with: retired.relationships[tag, default: []].map(\.tag)))
    }
  }

  /// Returns the ranks of the tags among themselves and the retired ones.
  private static func ranks(of tags: [Tag], with retired: [Tag]) -> [Int] {
    let places = Dictionary(uniqueKeysWithValues: (tags + retired).sorted().enumerated().map { ($1, $0) })
    return tags.map { places[$0]! }
  }

  /// Returns the resolved model; every part of the model must have its tag.
  func build(nextTag: UInt16) -> ResolvedModel {
    let declared = Dictionary(uniqueKeysWithValues: model.entities.enumerated().map { ($1.tag!, $0) })
    let retiredNames = Dictionary(uniqueKeysWithValues: retired.entities.map { ($0.tag, $0.name) })
    let entities = entityTags.enumerated().map { index, tag in
      declared[tag].map { entity($0) }
        ?? ResolvedEntity(
          index: index, tag: tag, name: retiredNames[tag]!, isRetired: true,
          attributes: retired.attributes[tag, default: []].sorted { $0.tag < $1.tag },
          relationships: retired.relationships[tag, default: []].sorted { $0.tag < $1.tag },
          nameAttribute: nil, views: [], constraints: [])
    }
    return ResolvedModel(model: model, entities: entities, nextTag: nextTag)
  }

  private func entity(_ number: Int) -> ResolvedEntity {
    let declared = model.entities[number]
    let tag = declared.tag!
    let attributes = declared.attributes.indices.map { attribute($0, of: number) }
    let relationships = declared.relationships.indices.map { relationship($0, of: number) }
    let timeline = ResolvedTerm(
      path: ResolvedPath(start: entityNumbers[number], field: .createdAt, type: .date), isDescending: false)
    let indexes = declared.indexes.map { ResolvedView(tag: $0.tag!, terms: terms(of: $0, of: number)) }
    let constraints = zip(declared.uniqueTags, declared.unique).map { tag, names in
      ResolvedConstraint(tag: tag, fields: fields(of: names, of: number))
    }
    return ResolvedEntity(
      index: entityNumbers[number], tag: tag, name: declared.name, isRetired: false,
      attributes: (attributes + retired.attributes[tag, default: []]).sorted { $0.tag < $1.tag },
      relationships: (relationships + retired.relationships[tag, default: []]).sorted { $0.tag < $1.tag },
      nameAttribute: declared.nameAttribute.map { attributeNumbers[number][lookup.attribute($0, of: number)!] },
      views: [ResolvedView(tag: declared.timelineTag!, terms: [timeline])] + indexes, constraints: constraints)
  }
}

/// The resolved parts of earlier models that the current one lacks, by entity tags.
struct RetiredParts {
  var entities: [(tag: Tag, name: String)] = []
  var attributes: [Tag: [ResolvedAttribute]] = [:]
  var relationships: [Tag: [ResolvedRelationship]] = [:]
}

extension RetiredParts {
  /// Collects the parts that a model has already retired.
  init(_ model: ResolvedModel) {
    for entity in model.entities {
      if entity.isRetired { entities.append((entity.tag, entity.name)) }
      attributes[entity.tag] = entity.attributes.filter(\.isRetired)
      relationships[entity.tag] = entity.relationships.filter(\.isRetired)
    }
  }
}
