/// Paths by the tags of their parts, which mean the same in each model of a store.
///
/// The numbers of fields do not, where a change of the model makes one hierarchy of two.
struct PathIdentities {
  private let entityTags: [Tag]
  private let attributeTags: [[Tag]]
  private let relationshipTags: [[Tag]]
  private let entityNumbers: [Tag: Int]

  /// Creates the identities of paths in a model.
  init(_ model: ResolvedModel) {
    self.init(
      model.entities.map(\.tag), attributes: model.entities.map { $0.attributes.map(\.tag) },
      relationships: model.entities.map { $0.relationships.map(\.tag) })
  }

  /// Creates the identities of paths in a model that is being built.
  init(_ builder: ModelBuilder) {
    let tags = (builder.stored.entities.map(\.tag) + builder.stored.retiredEntities.map(\.tag)).sorted()
    self.init(
      tags, attributes: tags.map(builder.families.attributes(around:)),
      relationships: tags.map(builder.families.relationships(around:)))
  }

  private init(_ tags: [Tag], attributes: [[Tag]], relationships: [[Tag]]) {
    (entityTags, attributeTags, relationshipTags) = (tags, attributes, relationships)
    entityNumbers = Dictionary(tags.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A path: the tags of its start and its relationships, and the field at its end.
  struct PathIdentity: Hashable {
    let start: Tag
    let steps: [Tag]
    let field: FieldIdentity
    let type: AttributeType
    let order: StringOrder
  }

  /// The field at the end of a path.
  enum FieldIdentity: Hashable {
    case attribute(Tag)
    case target(Tag)
    case builtIn(ResolvedPath.Field)
  }

  func path(_ path: ResolvedPath) -> PathIdentity {
    PathIdentity(
      start: entityTags[path.start],
      steps: path.steps.map { relationshipTags[$0.relationship.entity][$0.relationship.relationship] },
      field: field(path.field, of: entityTags[path.end]), type: path.type, order: path.order)
  }

  /// - Parameter entity: The tag of the entity that has the field.
  func field(_ field: ResolvedPath.Field, of entity: Tag) -> FieldIdentity {
    guard let number = entityNumbers[entity] else { return .builtIn(field) }
    return switch field {
    case .attribute(let attribute): .attribute(attributeTags[number][attribute])
    case .target(let relationship), .place(let relationship, _): .target(relationshipTags[number][relationship])
    case .id, .createdAt, .changedAt, .entity: .builtIn(field)
    }
  }

  /// The terms of an index.
  func terms(_ terms: [ResolvedTerm]) -> [TermIdentity] {
    terms.map { TermIdentity(path: path($0.path), isDescending: $0.isDescending) }
  }

  struct TermIdentity: Hashable {
    let path: PathIdentity
    let isDescending: Bool
  }

  /// The keys and values of declared groups.
  func groups(_ keys: [ResolvedGroups.Key], _ values: [ResolvedGroups.Value]) -> GroupsIdentity {
    GroupsIdentity(
      keys: keys.map { .init(path: path($0.path), transform: $0.transform) },
      values: values.map { .init(function: $0.function, path: $0.path.map(path)) })
  }

  struct GroupsIdentity: Hashable {
    struct Key: Hashable {
      let path: PathIdentity
      let transform: SectionTransform
    }

    struct Value: Hashable {
      let function: Accumulator.Function
      let path: PathIdentity?
    }

    let keys: [Key]
    let values: [Value]
  }
}
