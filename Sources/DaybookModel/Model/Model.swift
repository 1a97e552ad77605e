/// The shape of a store's data: its entities with their attributes, relationships, delete rules and indexes.
///
/// A model is data, not code: the command line reads it from JSON, and Swift structs describe the same thing. This type
/// is what a person declares; it can be wrong. Opening a store with it finds out.
public struct Model: Hashable, Sendable {
  /// The kinds of objects.
  public var entities: [Entity]

  /// A model of these entities.
  public init(entities: [Entity]) {
    self.entities = entities
  }
}

/// A kind of object.
public struct Entity: Hashable, Sendable {
  /// The name of the entity.
  public var name: String
  /// What the entity was called in the model before, if this model renames it.
  public var renamedFrom: String?
  /// The attribute that serves as the name of an object: changing it is a `renamed` event, and trees print it.
  public var nameAttribute: String?
  /// What its objects hold.
  public var attributes: [Attribute]
  /// What its objects are linked to.
  public var relationships: [Relationship]
  /// Lists of attributes and to-one relationships whose values, taken together, no two objects may share. A
  /// combination that contains a null never collides.
  public var unique: [[String]]
  /// The orders that are kept ready.
  public var indexes: [Index]
  /// The number that stands for the entity in the files; nil until the model is part of a store.
  package var tag: Tag?
  /// The tag of the timeline, the view by `createdAt` that every entity has.
  package var timelineTag: Tag?
  /// The tags of `unique`, in the same order; empty until the model is part of a store.
  package var uniqueTags: [Tag]

  /// An entity of these parts.
  public init(
    name: String, renamedFrom: String? = nil, nameAttribute: String? = nil, attributes: [Attribute] = [],
    relationships: [Relationship] = [], unique: [[String]] = [], indexes: [Index] = []
  ) {
    self.name = name
    self.renamedFrom = renamedFrom
    self.nameAttribute = nameAttribute
    self.attributes = attributes
    self.relationships = relationships
    self.unique = unique
    self.indexes = indexes
    uniqueTags = []
  }
}

/// A value that each object of an entity has.
public struct Attribute: Hashable, Sendable {
  /// The name of the attribute.
  public var name: String
  /// What it was called in the model before.
  public var renamedFrom: String?
  /// The type of the values; nil for a derived attribute, whose type follows from what it is derived from.
  public var type: AttributeType?
  /// Whether an object may be without a value.
  public var isOptional: Bool
  /// The value of an object that is inserted without one; ``Value/null`` for none.
  public var defaultValue: Value
  /// How values of a string attribute are ordered.
  public var order: StringOrder
  /// Set for an attribute that is computed from related objects, and nil for one that is stored.
  public var derivation: Derivation?
  package var tag: Tag?
  /// What objects show that are older than the attribute: the default that it was added with, whatever the default
  /// became since; null for one that was there from the start. Given with the tag.
  package var valueWhenMissing = Value.null

  /// An attribute of this name and type.
  public init(
    name: String, renamedFrom: String? = nil, type: AttributeType?, isOptional: Bool = false,
    defaultValue: Value = .null, order: StringOrder = .codepoint, derivation: Derivation? = nil
  ) {
    self.name = name
    self.renamedFrom = renamedFrom
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.order = order
    self.derivation = derivation
  }
}

/// The types that values can have.
public enum AttributeType: String, Hashable, Sendable, CaseIterable {
  case string, integer, double, decimal, boolean, date, uuid, data
  /// A `Codable` value, stored as the bytes of its JSON.
  case codable
}

/// How the values of a string attribute are ordered.
///
/// All orders are computed by Daybook and never by the platform, so keys on disk mean the same everywhere.
public enum StringOrder: String, Hashable, Sendable, CaseIterable {
  /// By UTF-8 bytes, which is the order of code points.
  case codepoint
  /// By the lower-case mappings of the code points, ties by bytes.
  case caseInsensitive
  /// Runs of ASCII digits by their number (file9 before file10), all else by bytes; ties by bytes.
  case natural
}

/// How a derived attribute is computed from the objects of a to-many relationship.
public enum Derivation: Hashable, Sendable {
  /// How many objects there are.
  case count(relationship: String)
  /// The sum of their values; 0 of none.
  case sum(relationship: String, attribute: String)
  /// The least of their values; null of none.
  case minimum(relationship: String, attribute: String)
  /// The greatest of their values; null of none.
  case maximum(relationship: String, attribute: String)
}

/// A relationship to objects of an entity; it always has an inverse there.
public struct Relationship: Hashable, Sendable {
  /// The name of this side of the relationship.
  public var name: String
  /// What it was called in the model before.
  public var renamedFrom: String?
  /// The entity of the related objects.
  public var target: String
  /// The relationship of the target entity that leads back.
  public var inverse: String
  /// Whether it leads to many objects.
  public var isMany: Bool
  /// Whether a to-one relationship may be empty; a to-many always may.
  public var isOptional: Bool
  /// Whether the targets of a to-many relationship have an order that people choose.
  public var isOrdered: Bool
  /// What happens to the objects it leads to when its own object is deleted.
  public var deleteRule: DeleteRule
  package var tag: Tag?
  /// Whether the links belong to this side; given with the tag, and kept when a later model declares in another order.
  package var isOwner = false

  /// A side of a relationship.
  public init(
    name: String, renamedFrom: String? = nil, target: String, inverse: String, isMany: Bool = false,
    isOptional: Bool = false, isOrdered: Bool = false, deleteRule: DeleteRule = .nullify
  ) {
    self.name = name
    self.renamedFrom = renamedFrom
    self.target = target
    self.inverse = inverse
    self.isMany = isMany
    self.isOptional = isOptional
    self.isOrdered = isOrdered
    self.deleteRule = deleteRule
  }
}

/// What happens to the objects that a relationship points at when its own object is deleted.
public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
  /// The link is removed; if it was the target's required to-one, the delete is refused.
  case nullify
  /// They are deleted too.
  case cascade
  /// The delete is refused while there are any that would survive it.
  case deny
}

/// A sorted view of an entity, kept up to date with every commit.
public struct Index: Hashable, Sendable {
  /// What rows are sorted by, the first first.
  public var terms: [Term]
  package var tag: Tag?

  /// An index that sorts by these terms.
  public init(_ terms: [Term]) {
    self.terms = terms
  }

  /// One level of the order: a path to an attribute, through to-one relationships, or to a built-in time or `id`.
  public struct Term: Hashable, Sendable {
    /// The names that lead to the attribute.
    public var path: [String]
    /// Whether the order is turned round.
    public var isDescending: Bool

    /// A term that sorts by what a path of names leads to.
    public init(_ path: [String], isDescending: Bool = false) {
      self.path = path
      self.isDescending = isDescending
    }
  }
}
