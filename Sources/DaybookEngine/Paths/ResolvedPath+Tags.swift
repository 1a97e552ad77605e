import DaybookModel
import DaybookQuery

extension ResolvedPath {
  /// A path by the tags of its parts, which mean the same in each model of a store.
  struct Tags: Hashable {
    let start: Tag
    let steps: [Tag]
    let field: Field
    /// The tag of the field, if it is an attribute or a relationship.
    let fieldTag: Tag?
    let type: AttributeType
    let order: StringOrder
  }

  func tags(in model: ResolvedModel) -> Tags {
    let end = model.entities[end]
    var (field, tag) = (field, Tag?.none)
    switch field {
    case .attribute(let number): (field, tag) = (.attribute(0), end.attributes[number].tag)
    case .target(let number): (field, tag) = (.target(0), end.relationships[number].tag)
    case .place(let number, let parent): (field, tag) = (.place(0, of: parent), end.relationships[number].tag)
    case .id, .createdAt, .changedAt, .entity: break
    }
    return Tags(
      start: model.entities[start].tag, steps: steps.map { model[$0.relationship].tag }, field: field, fieldTag: tag,
      type: type, order: order)
  }
}
