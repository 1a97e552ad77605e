/// The shape of a store's data.
///
/// It consists of the entities with their attributes, relationships, delete rules and indexes, and of the named events.
///
/// A model is data, not code: the command line reads it from JSON, and Swift structs declare the same parts. A declared
/// model can be wrong; opening a store with it reports the faults.
public struct Model: Hashable, Sendable {
  /// The kinds of objects.
  public var entities: [Entity]
  /// The named events that the application records about objects.
  public var events: [EventType]

  /// Creates a model with these entities and named events.
  public init(entities: [Entity], events: [EventType] = []) {
    self.entities = entities
    self.events = events
  }
}

/// A kind of object.
public struct Entity: Hashable, Sendable {
  /// The name of the entity.
  public var name: String
  /// The entity's name in the previous model, if this model renames it.
  public var renamedFrom: String?
  /// The name of the entity of which this one is a kind, or `nil` for an entity of its own.
  ///
  ///     Entity(name: "Car", parent: "Vehicle", attributes: [Attribute(name: "doors", type: .integer)])
  ///
  /// A child lists its own fields only, and its objects have its ancestors' fields too. A request for the parent
  /// returns the objects of its children, and the parent's indexes, constraints, groups and rules are theirs.
  public var parent: String?
  /// Whether all of its objects are of its children: no object of the entity itself can be inserted.
  public var isAbstract: Bool
  /// The attribute that serves as an object's name, or `nil` for the attribute of the parent, if there is one.
  ///
  /// Changing it is a `renamed` event, and trees print it.
  public var nameAttribute: String?
  /// The attributes of its objects.
  public var attributes: [Attribute]
  /// The relationships of its objects.
  public var relationships: [Relationship]
  /// Combinations of attributes and to-one relationships that must be unique.
  ///
  /// No two objects may share all values of a list. A combination that contains a null never collides.
  public var unique: [[String]]
  /// The indexes that the store maintains.
  public var indexes: [Index]
  /// The groups of its objects that the store maintains.
  public var groups: [GroupDeclaration]
  /// Conditions that each object meets at the end of a commit that changes what they are about.
  ///
  /// Filters about the object itself: its attributes, its times, its to-one links (`type != nil`), and the number of targets
  /// of a to-many relationship (`tags.@count <= 5`); or about related objects (`COUNT(items WHERE weight > 5) <= 1`).
  public var rules: [String]

  /// Creates an entity.
  public init(
    name: String, renamedFrom: String? = nil, parent: String? = nil, isAbstract: Bool = false,
    nameAttribute: String? = nil, attributes: [Attribute] = [],
    relationships: [Relationship] = [], unique: [[String]] = [], indexes: [Index] = [],
    groups: [GroupDeclaration] = [], rules: [String] = []
  ) {
    self.name = name
    self.renamedFrom = renamedFrom
    self.parent = parent
    self.isAbstract = isAbstract
    self.nameAttribute = nameAttribute
    self.attributes = attributes
    self.relationships = relationships
    self.unique = unique
    self.indexes = indexes
    self.groups = groups
    self.rules = rules
  }
}

/// A value that each object of an entity has.
public struct Attribute: Hashable, Sendable {
  /// The name of the attribute.
  public var name: String
  /// The attribute's name in the previous model, if this model renames it.
  public var renamedFrom: String?
  /// The type of the values, or `nil` for a derived attribute, whose source determines it.
  public var type: AttributeType?
  /// Whether an object may lack a value.
  public var isOptional: Bool
  /// The value of an object that is inserted without one; ``Value/null`` for no default.
  public var defaultValue: Value
  /// How values of a string attribute are ordered.
  public var order: StringOrder
  /// The derivation from related objects, or `nil` for a stored attribute.
  public var derivation: Derivation?
  /// The rules for the values, at most one of each kind.
  public var rules: [AttributeRule]

  /// Creates an attribute.
  public init(
    name: String, renamedFrom: String? = nil, type: AttributeType?, isOptional: Bool = false,
    defaultValue: Value = .null, order: StringOrder = .codepoint, derivation: Derivation? = nil,
    rules: [AttributeRule] = []
  ) {
    self.name = name
    self.renamedFrom = renamedFrom
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.order = order
    self.derivation = derivation
    self.rules = rules
  }
}

/// How a derived attribute is computed from the objects of a to-many relationship.
public enum Derivation: Hashable, Sendable {
  /// The number of objects.
  case count(relationship: String)
  /// The sum of their values; 0 for no objects.
  ///
  /// It is exact for integers and decimals, and for doubles the nearest double to the exact sum. A commit is refused if no
  /// value of the type can hold the sum.
  case sum(relationship: String, attribute: String)
  /// The least of their values; null for no objects.
  case minimum(relationship: String, attribute: String)
  /// The greatest of their values; null for no objects.
  case maximum(relationship: String, attribute: String)
}

/// A relationship to objects of an entity.
public struct Relationship: Hashable, Sendable {
  /// The name of this side of the relationship.
  public var name: String
  /// The relationship's name in the previous model, if this model renames it.
  public var renamedFrom: String?
  /// The entity of the related objects.
  public var target: String
  /// The relationship of the target entity that leads back; empty for a one-way relationship, and the relationship's own
  /// name if it is its own inverse.
  ///
  /// The links of a one-way relationship belong to it, and its targets do not show them. When a target is deleted, its
  /// links are removed; if one is a required to-one link, the delete is refused.
  ///
  /// A relationship of an entity with itself, such as `friends`, may be its own inverse: a link is made once, and both
  /// objects have it. Such a relationship is neither ordered nor acyclic.
  public var inverse: String
  /// Whether it leads to many objects.
  public var isMany: Bool
  /// Whether a to-one relationship may be empty; a to-many always may.
  public var isOptional: Bool
  /// Whether the targets of a to-many relationship have an order that users choose.
  public var isOrdered: Bool
  /// The effect on the related objects when this object is deleted.
  public var deleteRule: DeleteRule
  /// Whether a commit that would lead from an object back to itself is refused.
  ///
  /// For to-one relationships to the same entity, such as the parent of a folder: the objects are then trees.
  public var isAcyclic: Bool
  /// The least number of targets of a to-many relationship at the end of a commit that changes it; `nil` for no limit.
  public var least: Int?
  /// The greatest number of targets of a to-many relationship; `nil` for no limit.
  public var most: Int?

  /// Creates one side of a relationship.
  public init(
    name: String, renamedFrom: String? = nil, target: String, inverse: String = "", isMany: Bool = false,
    isOptional: Bool = false, isOrdered: Bool = false, deleteRule: DeleteRule = .nullify, isAcyclic: Bool = false,
    least: Int? = nil, most: Int? = nil
  ) {
    self.name = name
    self.renamedFrom = renamedFrom
    self.target = target
    self.inverse = inverse
    self.isMany = isMany
    self.isOptional = isOptional
    self.isOrdered = isOrdered
    self.deleteRule = deleteRule
    self.isAcyclic = isAcyclic
    self.least = least
    self.most = most
  }
}

/// The effect of deleting an object on the objects that its relationship leads to.
public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
  /// The link is removed; if it was the target's required to-one link, the delete is refused.
  case nullify
  /// The related objects are deleted too.
  case cascade
  /// The delete is refused while related objects exist that would survive it.
  case deny
}

/// The rows of an entity in the order of some terms, kept up to date with every commit.
public struct Index: Hashable, Sendable {
  /// The terms of the order, the most significant first.
  ///
  /// A path leads to an attribute, to a built-in time or to `id`. Strings have the order of their attribute, and nil is where
  /// the direction has it: a term that says otherwise is refused, and so is one that sorts by place.
  public var terms: [SortTerm]

  /// Creates an index with these terms.
  package init(_ terms: [SortTerm]) {
    self.terms = terms
  }
}

extension Model {
  /// Returns the model with all defaults in stored form. The model must be valid.
  func normalized() -> Model {
    var model = self
    for (entity, declared) in entities.enumerated() {
      for (number, attribute) in declared.attributes.enumerated() {
        // A valid default fits its type, so this cannot fail.
        guard let type = attribute.type, let value = try? attribute.defaultValue.normalized(as: type) else { continue }
        model.entities[entity].attributes[number].defaultValue = value
        model.entities[entity].attributes[number].rules = attribute.normalizedRules
      }
    }
    for number in events.indices { model.events[number].normalize() }
    return model
  }
}

extension Attribute {
  /// `string, optional`, `integer, default 1`, `count of ingredients`
  var summary: String {
    if let derivation { return derivation.summary }
    var words = [type?.rawValue ?? ""]
    if isOptional { words.append("optional") }
    if let type, !defaultValue.isNull { words.append("default \(defaultValue.defaultText(as: type))") }
    if order != .codepoint { words.append("order \(order.rawValue)") }
    if let type { words += rules.map { $0.summary(as: type) } }
    return words.joined(separator: ", ")
  }
}

extension Attribute {
  /// The rules with stored values, in the order of their keys. The rules must be valid.
  var normalizedRules: [AttributeRule] {
    guard let type else { return rules }
    let order = AttributeRule.keys
    // Valid rules fit the type, so this cannot fail.
    return rules.compactMap { try? $0.normalized(as: type) }.sorted {
      order.firstIndex(of: $0.key) ?? 0 < order.firstIndex(of: $1.key) ?? 0
    }
  }
}

extension Derivation {
  /// Its kind, and the names of the relationship and of the target's attribute.
  var parts: (kind: ResolvedDerivation.Kind, relationship: String, attribute: String?) {
    switch self {
    case .count(let relationship): (.count, relationship, nil)
    case .sum(let relationship, let attribute): (.sum, relationship, attribute)
    case .minimum(let relationship, let attribute): (.minimum, relationship, attribute)
    case .maximum(let relationship, let attribute): (.maximum, relationship, attribute)
    }
  }

  /// `count of ingredients`, `sum of ingredients.amount`
  var summary: String {
    let (kind, relationship, attribute) = parts
    return "\(kind.rawValue) of \(attribute.map { "\(relationship).\($0)" } ?? relationship)"
  }
}

extension Relationship {
  /// `to-many Ingredient, ordered, cascade`
  var summary: String {
    var words = [isMany ? "to-many \(target)" : "to-one \(target)"]
    if isOneWay { words.append("one-way") }
    if isOptional { words.append("optional") }
    if isOrdered { words.append("ordered") }
    if isAcyclic { words.append("acyclic") }
    if deleteRule != .nullify { words.append(deleteRule.rawValue) }
    words += limits
    return words.joined(separator: ", ")
  }
}

extension Relationship {
  /// `least 1`, `most 5`
  package var limits: [String] { Relationship.limits(least, most) }

  static func limits(_ least: Int?, _ most: Int?) -> [String] {
    [least.map { "least \($0)" }, most.map { "most \($0)" }].compactMap { $0 }
  }
}

extension Index {
  /// `[type.name, changedAt:desc]`
  var summary: String { "[\(terms.map(\.indexText).joined(separator: ", "))]" }
}

extension Model {
  /// Reads a model file.
  ///
  ///     let recipes = try Model(parsing: [UInt8](Data(contentsOf: file)))
  ///
  /// Absent keys mean empty or false; unknown keys are refused. A store checks later that the names in the model refer
  /// to something.
  ///
  /// - Throws: All faults of the model's form, each with its place; or the place where the text is not JSON.
  public init(parsing text: [UInt8]) throws(ModelError) {
    try self.init(json: JSONValue.model(parsing: text))
  }

  /// Reads a model from JSON; see ``init(parsing:)``.
  package init(json: JSONValue) throws(ModelError) {
    var reader = ModelReader(isStored: false)
    let model = reader.model(json)
    guard reader.faults.isEmpty else { throw ModelError(reader.faults) }
    self = model
  }

  /// The model in the form of a model file.
  package var json: JSONValue { ModelWriter.json(of: self) }

  /// The text of a model file.
  public var text: String { json.prettyText }
}

private extension JSONValue {
  /// Parses the text of a model, and reports the place where it is not JSON.
  static func model(parsing text: [UInt8]) throws(ModelError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      throw ModelError([Fault("line \(error.line), column \(error.column)", error.message)])
    }
  }
}
