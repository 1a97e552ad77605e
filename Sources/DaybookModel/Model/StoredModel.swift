/// The stored form of a model, not yet resolved: references are still names and tags.
struct StoredModel {
  var model: Model
  var nextTag: UInt16
  var entities: [(tag: Tag, name: String)] = []
  /// By the tags of the entities; derivations refer to tags.
  var attributes: [Tag: [RetiredAttribute]] = [:]
  var relationships: [Tag: [RetiredRelationship]] = [:]

  /// An attribute with the tags that its derivation refers to.
  struct RetiredAttribute {
    var attribute: ResolvedAttribute
    var derived: (kind: ResolvedDerivation.Kind, relationship: Tag, attribute: Tag?)?
  }

  struct RetiredRelationship {
    var name: String
    var tag: Tag
    var target: Tag
    var inverse: Tag
    var isMany: Bool
    var isOptional: Bool
    var isOrdered: Bool
    var isOwner: Bool
    var deleteRule: DeleteRule
  }
}
