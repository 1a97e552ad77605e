/// An entity whose objects a projection writes.
///
///     DerivedEntity(
///       Entity(
///         name: "AuthorMonth",
///         attributes: [
///           Attribute(name: "month", type: .string),
///           Attribute(name: "commits", type: .integer, defaultValue: 0),
///         ],
///         relationships: [Relationship(name: "author", target: "Author")]),
///       key: ["author", "month"])
///
/// Its objects are read as all others are. They have no life of their own: they follow from the journal, only their
/// projection changes them, and they can be built again at any time.
///
/// - A key is one to four attributes and links. It is the identity of an object: there is one object for each key, and
///   its id is made from the names of projection and entity and from the key, so it is the same in each process and
///   after each rebuild. The values may be of any type but data, codable and double.
/// - Attributes outside the key are optional or have a default.
/// - A to-one relationship without an inverse leads to an object of the store, of this projection or of one that it
///   reads. It does not hold its target: when the target is deleted the link reads as nil, and it leads to the object
///   again if that comes back. A link outside the key is optional.
public struct DerivedEntity: Hashable, Sendable {
  /// The declaration.
  package var entity: Entity
  /// The names of the attributes and to-one relationships that are the identity of its objects.
  package var key: [String]
  /// The reason why the entity could not be declared, which is reported when a store opens with its projection.
  package private(set) var fault: String?

  /// Creates a derived entity.
  ///
  /// - Parameters:
  ///   - entity: The declaration.
  ///   - key: The names of the attributes and to-one relationships that are the identity of its objects.
  public init(_ entity: Entity, key: [String]) {
    self.entity = entity
    self.key = key
  }

  /// Creates the place of an entity that could not be declared.
  package init(_ name: String, fault: String) {
    self.init(Entity(name: name), key: [])
    self.fault = fault
  }
}

extension DerivedEntity {
  /// The greatest number of fields in a key.
  package static let maximumKeyCount = 4
  /// The greatest size of an encoded key, in bytes.
  package static let maximumKeySizeInBytes = 400
}
