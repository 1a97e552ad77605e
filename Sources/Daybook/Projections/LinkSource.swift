import DaybookModel

/// What knows the links of objects: the tables through a reader, or a fold with what it has not settled yet.
protocol LinkSource {
  /// The objects that a relationship leads to from one object.
  func targets(of reference: RelationshipReference, from source: ObjectID) throws -> [ObjectID]
}

extension LinkSource {
  /// The objects at the end of a way, from one object; one comes as often as there are ways to it.
  func objects(along way: [RelationshipReference], from start: ObjectID) throws -> [ObjectID] {
    var ids = [start]
    for step in way {
      var next: [ObjectID] = []
      for id in ids { next += try targets(of: step, from: id) }
      ids = next
    }
    return ids
  }
}

extension Fold: LinkSource {}
extension Reader: LinkSource {}
