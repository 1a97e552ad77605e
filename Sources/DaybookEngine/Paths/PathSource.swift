import DaybookModel

/// A source of objects' links: a reader of the tables, or a fold with its unsettled changes.
package protocol LinkSource {
  /// Returns the objects that a relationship leads to from one object.
  func targets(of reference: RelationshipReference, from source: ObjectID) throws -> [ObjectID]
}

extension LinkSource {
  /// Returns the objects at the end of an inverse path from one object, each once for each path to it.
  package func objects(along inversePath: [RelationshipReference], from start: ObjectID) throws -> [ObjectID] {
    var ids = [start]
    for step in inversePath {
      var next: [ObjectID] = []
      for id in ids { next += try targets(of: step, from: id) }
      ids = next
    }
    return ids
  }
}

extension Fold: LinkSource {}
extension Reader: LinkSource {}
