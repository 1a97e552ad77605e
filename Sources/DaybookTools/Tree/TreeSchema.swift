import Daybook
import DaybookModel

/// The relationships of a model that form a tree: to-many relationships that cascade.
///
/// Objects that are deleted with their owner are part of it. Of a relationship that is its own inverse no object is above
/// the other, so it forms no tree.
struct TreeSchema {
  /// For each entity, by its index, the relationships that lead to its children.
  let children: [[RelationshipReference]]
  /// For each entity, by its index, the relationships that lead to its parents.
  let parents: [[RelationshipReference]]

  init(_ model: ResolvedModel) {
    var children = [[RelationshipReference]](repeating: [], count: model.entities.count)
    var parents = children
    for entity in model.entities where !entity.isRetired {
      for number in entity.ownRelationships {
        let relationship = entity.relationships[number]
        guard relationship.isMany, relationship.deleteRule == .cascade, !relationship.isRetired,
          !relationship.isMirrored
        else { continue }
        for member in model.members(of: entity.index) {
          children[member].append(RelationshipReference(entity: entity.index, relationship: number))
        }
        for member in model.members(of: relationship.target) {
          parents[member].append(
            RelationshipReference(entity: relationship.target, relationship: relationship.inverse))
        }
      }
    }
    self.children = children
    self.parents = parents
  }

  /// Whether objects of an entity may have children; they are never leaves, even if they have none.
  func isBranch(_ entity: Int) -> Bool { !children[entity].isEmpty }

  /// Whether objects of an entity are in the tree.
  func takesPart(_ entity: Int) -> Bool { !children[entity].isEmpty || !parents[entity].isEmpty }

  /// Whether objects may have several parents, and so be in a cycle that a top leads to.
  func mayShareChildren(in model: ResolvedModel) -> Bool {
    parents.indices.contains { entity in
      mayHaveCycles(entity, in: model) && (parents[entity].count > 1 || parents[entity].contains { model[$0].isMany })
    }
  }

  /// Whether an object of the entity may be below itself, at any depth.
  func mayHaveCycles(_ entity: Int, in model: ResolvedModel) -> Bool {
    var reached = Set<Int>()
    var pending = [entity]
    while let next = pending.popLast() {
      for target in children[next].flatMap({ model.members(of: model[$0].target) })
      where reached.insert(target).inserted {
        pending.append(target)
      }
    }
    return reached.contains(entity)
  }
}
