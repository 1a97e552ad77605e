import DaybookModel

/// The objects and links along which paths are followed: a reader of the tables, or a fold with its unsettled changes.
package protocol PathSource: AnyObject {
  /// Returns the record of an object, or `nil` if there has never been one.
  @unsafe
  @_lifetime(immortal)
  func unsafeRecord(of key: ObjectKey) throws -> RawSpan?
  /// Returns the target of a to-one relationship, whichever side owns the links.
  func target(of reference: RelationshipReference, from source: ObjectKey) throws -> ObjectKey?
  /// Returns the objects that a relationship leads to from one object.
  func targets(of reference: RelationshipReference, from source: ObjectID) throws -> [ObjectID]
  /// Returns the value of a link's row, or `nil` if there is no row.
  @unsafe
  @_lifetime(immortal)
  func unsafeLinkValue(for key: [UInt8]) throws -> RawSpan?
}

extension PathSource {
  /// Returns whether an object exists.
  func exists(_ key: ObjectKey) throws -> Bool {
    guard let record = try unsafe unsafeRecord(of: key) else { return false }
    return try !RecordView(record).isTombstone
  }

  /// Returns the target of a to-one link that the object itself holds, whether or not it exists.
  package func ownedTarget(of key: ObjectKey, _ link: Tag) throws -> ObjectID? {
    guard let record = try unsafe unsafeRecord(of: key) else { return nil }
    return try RecordView(record).target(of: link)
  }

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

  /// Returns the order key of the link between an object and a parent; null without a link.
  func place(of object: ObjectKey, in relationship: ResolvedRelationship, under parent: ObjectID) throws -> Value {
    if relationship.isMany {
      var key: [UInt8] = []
      RowKey.links(relationship.tag, from: object.id, into: &key)
      key.append(parent)
      guard let order = try unsafe unsafeLinkValue(for: key) else { return .null }
      return .data([UInt8](order))
    }
    guard let bytes = try unsafe unsafeRecord(of: object),
      let field = try FieldReader.field(relationship.tag, in: RecordView(bytes).fields), try field.target() == parent
    else { return .null }
    return .data([UInt8](try field.orderKey()))
  }
}
