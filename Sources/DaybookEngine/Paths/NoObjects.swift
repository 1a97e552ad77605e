import DaybookModel

/// The objects of a request that reads nothing but the records of its rows: none.
final class NoObjects: PathSource, Sendable {
  static let shared = NoObjects()

  @unsafe
  @_lifetime(immortal)
  func unsafeRecord(of key: ObjectKey) throws -> RawSpan? { nil }

  func target(of reference: RelationshipReference, from source: ObjectKey) throws -> ObjectKey? { nil }

  func targets(of reference: RelationshipReference, from source: ObjectID) throws -> [ObjectID] { [] }

  @unsafe
  @_lifetime(immortal)
  func unsafeLinkValue(for key: [UInt8]) throws -> RawSpan? { nil }
}
