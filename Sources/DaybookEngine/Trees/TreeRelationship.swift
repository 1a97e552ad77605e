import DaybookModel

/// A relationship of an entity to itself by which its objects form trees: each has at most one parent.
///
/// Both sides of a relationship are the same tree.
package struct TreeRelationship: Hashable, Sendable {
  package let entity: Int
  /// The to-one side, which owns the links.
  package let parent: RelationshipReference
  /// The to-many side.
  package let children: RelationshipReference
  /// The tag of the to-one side.
  package let parentTag: Tag
  /// Whether the children of an object have an order that users choose.
  let isOrdered: Bool
  let nameAttribute: Int?

  /// Finds the tree of a relationship.
  ///
  /// - Parameters:
  ///   - name: The name of either side, such as `children` or `Folder.children`.
  ///   - entity: The entity of the relationship; `nil` if the name has it, or if only one entity has such a
  ///     relationship.
  /// - Throws: `StoreError` with the code `badRequest` if there is no such relationship, or it is no tree.
  package init(_ name: String, of entity: Int? = nil, in model: ResolvedModel) throws {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let named = try parts.count == 2 ? model.requireTreeEntity(parts[0]) : entity
    let relationship = parts[parts.count - 1]
    // A descendant has the trees of its ancestors, which declare the relationships.
    let candidates = model.entities.filter { entity in
      !entity.isRetired && named.map { model.entities[$0].isKind(of: entity) } ?? true
    }.compactMap { entity -> RelationshipReference? in
      guard let number = entity.relationship(named: relationship), entity.ownRelationships.contains(number) else {
        return nil
      }
      return RelationshipReference(entity: entity.index, relationship: number)
    }
    let trees = candidates.filter { model[$0].isTree(of: $0.entity, in: model) }
    guard let side = trees.first else {
      throw StoreError(
        .badRequest,
        candidates.isEmpty
          ? "The model has no relationship “\(name)”." : "The relationship “\(name)” does not make a tree.",
        advice: "Name a relationship of an entity to itself that leads to one parent, or its inverse to many children.")
    }
    guard trees.count == 1 else {
      let names = trees.map { "\(model.entities[$0.entity].name).\(relationship)" }
      throw StoreError(
        .badRequest, "The relationship “\(name)” is ambiguous.", advice: "Name one of \(names.joined(separator: ", "))."
      )
    }
    self.init(side, in: model)
  }

  private init(_ side: RelationshipReference, in model: ResolvedModel) {
    let inverse = model.inverse(of: side)
    (parent, children) = model[side].isMany ? (inverse, side) : (side, inverse)
    entity = side.entity
    parentTag = model[parent].tag
    isOrdered = model[children].isOrdered
    nameAttribute = model.entities[entity].nameAttribute
  }
}

private extension ResolvedModel {
  func requireTreeEntity(_ name: String) throws -> Int {
    if let entity = entity(named: name) { return entity }
    throw StoreError(
      .badRequest, "The model has no entity “\(name)”.", advice: "Name a relationship as Entity.children.")
  }
}

private extension ResolvedRelationship {
  /// Whether the relationship leads to its own entity, to one on one side and to many on the other.
  func isTree(of entity: Int, in model: ResolvedModel) -> Bool {
    target == entity && isMany != model.entities[target].relationships[inverse].isMany
  }
}
