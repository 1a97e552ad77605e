import DaybookModel

/// Compares the places of links in two states: commits in between that cancel out have changed nothing.
struct PlaceComparison {
  let old: Reader
  let new: Reader

  /// Whether a link of both states has the same place relative to targets in both states.
  func isSamePlace(of link: LinkIdentity) throws -> Bool {
    guard let side = try orderedSide(of: link), let before = try old.targets(side.tag, of: side.source),
      let now = try new.targets(side.tag, of: side.source)
    else { return true }
    func precedents(in list: [ObjectID], among others: [ObjectID]) -> Set<ObjectID> {
      Set(list.prefix { $0 != side.item }).intersection(others)
    }
    return precedents(in: before, among: now) == precedents(in: now, among: before)
  }

  /// Returns the ordered side of a link: its source and the item in the list, or `nil` if none.
  func orderedSide(of link: LinkIdentity) throws -> (source: ObjectID, tag: Tag, item: ObjectID)? {
    guard let reference = new.model.relationship(tagged: link.relationship) else { return nil }
    if new.model[reference].isOrdered { return (link.owner, link.relationship, link.target) }
    let inverse = new.model[new.model.inverse(of: reference)]
    return inverse.isOrdered ? (link.target, inverse.tag, link.owner) : nil
  }
}
