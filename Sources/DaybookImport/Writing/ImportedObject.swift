#if Import

import DaybookModel

/// What former imports of a source have written of one object.
///
/// It is the base of a three-way merge: not the object as it was after the last import, which has the changes that were
/// made in the store before.
struct ImportedObject {
  /// Whether an import inserted it, after the last time that one deleted it.
  var isInserted = false
  /// Whether an import deleted it.
  var isDeleted = false
  /// The last values, by tag; an attribute without one was null.
  var values: [Tag: Value] = [:]
  /// The links, with their order keys; those that an import removed are not among them.
  var links: [Link: [UInt8]] = [:]

  /// An end of a link.
  struct Link: Hashable {
    /// The relationship of the side that owns the link.
    let tag: Tag
    /// The object at the other end.
    let other: ObjectID
    /// Whether this end owns the link; both do if the relationship is its own inverse.
    let isOwner: Bool
  }

  /// Returns the objects at the other ends of one relationship's links, in their order.
  func targets(_ tag: Tag, isOwner: Bool) -> [ObjectID] {
    let found = links.filter { $0.key.tag == tag && $0.key.isOwner == isOwner }
    return found.sorted { a, b in
      a.value == b.value ? a.key.other < b.key.other : a.value.lexicographicallyPrecedes(b.value)
    }.map(\.key.other)
  }
}

extension ImportedObject {
  /// The value that an import has last written of an attribute; the value of an object without the field if it wrote none.
  func former(_ attribute: ResolvedAttribute) -> Value? {
    // Two statements, because `nil` in a conditional expression would be the null value.
    if !isInserted { return values[attribute.tag] }
    return values[attribute.tag] ?? attribute.missingValue
  }
}

#endif
