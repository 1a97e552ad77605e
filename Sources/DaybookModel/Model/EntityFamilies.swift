/// The hierarchies of a stored model, and the numbers of fields in them.
///
/// A *family* is a root entity with all entities below it, retired ones too. The attributes of a family are numbered
/// together, in the order of their tags, and so are its relationships: a number means the same field in each entity of the
/// family, whether or not the entity has it. An entity without parent and children is a family of its own.
struct EntityFamilies {
  /// The names of the entities.
  let names: [Tag: String]
  /// The tags from the root to an entity, by the tag of the entity.
  private var lineages: [Tag: [Tag]] = [:]
  /// The tags of all entities of a family, by the tag of its root.
  private var members: [Tag: [Tag]] = [:]
  /// The tags of the fields of a family, rising, by the tag of its root.
  private var attributes: [Tag: [Tag]] = [:]
  private var relationships: [Tag: [Tag]] = [:]

  /// - Parameter stored: Its declarations are valid; the parents of its retired entities may be anything.
  /// - Throws: `ModelError` if a retired entity has a parent that does not exist, or is below itself.
  init(_ stored: EncodedModel) throws(ModelError) {
    let tags = Dictionary(stored.entities.map { ($0.name, $0.tag) }, uniquingKeysWith: { first, _ in first })
    names = Dictionary(
      stored.entities.map { ($0.tag, $0.name) } + stored.retiredEntities.map { ($0.tag, $0.name) },
      uniquingKeysWith: { first, _ in first })
    var parents: [Tag: Tag] = [:]
    for entity in stored.entities { parents[entity.tag] = entity.parent.flatMap { tags[$0] } }
    for entity in stored.retiredEntities { parents[entity.tag] = entity.parent }
    let known = Set(stored.entities.map(\.tag) + stored.retiredEntities.map(\.tag))
    for tag in known {
      let lineage = try EntityFamilies.lineage(of: tag, parents, known)
      lineages[tag] = lineage
      members[lineage[0], default: []].append(tag)
    }
    for entity in stored.entities {
      add(entity.retired, of: entity.tag, entity.attributes.map(\.tag), entity.relationships.map(\.tag))
    }
    for entity in stored.retiredEntities { add(entity.fields, of: entity.tag, [], []) }
    for root in attributes.keys { attributes[root]?.sort() }
    for root in relationships.keys { relationships[root]?.sort() }
  }

  private static func lineage(of tag: Tag, _ parents: [Tag: Tag], _ known: Set<Tag>) throws(ModelError) -> [Tag] {
    var lineage = [tag]
    while let parent = parents[lineage[lineage.count - 1]] {
      guard known.contains(parent), !lineage.contains(parent) else {
        throw ModelError([Fault("the entity with the tag \(tag)", "has a parent that does not fit it")])
      }
      lineage.append(parent)
    }
    return lineage.reversed()
  }

  private mutating func add(
    _ retired: RetiredFields, of entity: Tag, _ attributes: [Tag], _ relationships: [Tag]
  ) {
    let root = root(of: entity)
    self.attributes[root, default: []] += attributes + retired.attributes.map(\.tag)
    self.relationships[root, default: []] += relationships + retired.relationships.map(\.tag)
  }

  /// Returns the tags from the root to an entity, which is the last one.
  func lineage(of entity: Tag) -> [Tag] { lineages[entity] ?? [entity] }
  func root(of entity: Tag) -> Tag { lineage(of: entity)[0] }

  /// Returns the tags of all entities of an entity's family, in any order.
  func members(around entity: Tag) -> [Tag] { members[root(of: entity)] ?? [entity] }

  /// Returns the tags of all attributes of an entity's family; the index of each is its number.
  func attributes(around entity: Tag) -> [Tag] { attributes[root(of: entity)] ?? [] }
  /// Returns the tags of all relationships of an entity's family; the index of each is its number.
  func relationships(around entity: Tag) -> [Tag] { relationships[root(of: entity)] ?? [] }

  /// Returns the number of an attribute in an entity's family, or `nil` if the family lacks it.
  func number(ofAttribute tag: Tag, of entity: Tag) -> Int? { attributes(around: entity).place(of: tag) }
  /// Returns the number of a relationship in an entity's family, or `nil` if the family lacks it.
  func number(ofRelationship tag: Tag, of entity: Tag) -> Int? { relationships(around: entity).place(of: tag) }
}

extension [Tag] {
  /// Returns the index of a tag among rising ones, or `nil` if it is not among them.
  ///
  /// - Complexity: O(log *n*)
  func place(of tag: Tag) -> Int? {
    var (start, end) = (0, count)
    while start < end {
      let middle = start + (end - start) / 2
      if self[middle] < tag { start = middle + 1 } else { end = middle }
    }
    return start < count && self[start] == tag ? start : nil
  }
}
