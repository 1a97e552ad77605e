#if Macros

import SwiftSyntax

/// The declaration of an entity, as read from its struct.
struct EntityDeclaration {
  /// The name of the struct.
  let type: String
  /// The name of the entity, as a literal.
  let name: String
  let renamedFrom: String?
  /// The type of the parent and whether the entity is abstract, as written.
  let parent, isAbstract: String?
  /// The access level of the generated code, such as `public `.
  let access: String
  let properties: [EntityProperty]
  let nameAttribute: String?
  /// Lists of names, as literals.
  let unique: [[String]]
  let indexes: [[String]]
  let groups: [Groups]
  /// Conditions, as literals.
  let rules: [String]
  /// Whether the struct declares an initialiser.
  let hasInitializer: Bool
  /// Whether the struct is declared to be equatable or hashable, and has no `==` of its own.
  let needsEquality: Bool
  /// Whether the struct is declared to be hashable, and has no `hash(into:)` of its own.
  let needsHash: Bool

  /// The properties that are the key; none unless the entity is derived.
  var key: [EntityProperty] { properties.filter(\.isKey) }

  init(_ structure: StructDeclSyntax, _ node: AttributeSyntax, _ reader: PropertyReader) {
    type = structure.name.text
    name = node.unlabeled.first ?? "\"\(structure.name.text)\""
    renamedFrom = node.text("renamedFrom")
    (parent, isAbstract) = (node.text("parent"), node.text("isAbstract"))
    let words = structure.modifiers.map(\.name.text)
    access = words.first { $0 == "public" || $0 == "package" }.map { $0 + " " } ?? ""
    properties = reader.properties
    nameAttribute = reader.name
    unique = reader.unique.map { ["\"\($0)\""] } + structure.attributes.all("Unique").map(\.unlabeled)
    indexes = reader.indexes.map { ["\"\($0)\""] } + structure.attributes.all("Index").map(\.unlabeled)
    groups = structure.attributes.all("Group").map(Groups.init)
    rules = structure.attributes.all("Rule").flatMap(\.unlabeled)
    let conformances = (structure.inheritanceClause?.inheritedTypes ?? []).map(\.type.trimmedDescription)
    let isHashable = conformances.contains { ["Hashable", "Swift.Hashable"].contains($0) }
    let functions = structure.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self)?.name.text }
    needsEquality =
      !functions.contains("==")
      && (isHashable || conformances.contains { ["Equatable", "Swift.Equatable"].contains($0) })
    needsHash = isHashable && !functions.contains("hash")
    hasInitializer = structure.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
  }

  /// The arguments of `@Group`, as written.
  struct Groups {
    let name: String?
    let keys: [String]
    /// The values; none if they are left out.
    let values: [String]

    init(_ attribute: AttributeSyntax) {
      name = attribute.unlabeled.first
      keys = attribute.texts("by")
      values = attribute.texts("show")
    }
  }
}

/// A stored property of an entity, in the form of the model.
struct EntityProperty {
  let name: String
  /// The type as written, or the type of the initial value's literal.
  let type: String
  /// The initial value.
  let initialValue: String?
  let kind: Kind
  /// The name in the previous model, as written.
  let renamedFrom: String?
  /// A directive with the property's place in its file, or `nil` if unknown or not needed.
  let location: String?
  /// Whether it is a part of the key of a derived entity.
  let isKey: Bool

  enum Kind {
    /// - Parameters:
    ///   - isConstant: Whether the initial value is the attribute's default.
    ///   - order: The argument of `@Attribute`, as written.
    ///   - rules: The rules of `@Attribute`, as written.
    case attribute(isConstant: Bool, order: String?, rules: [String])
    case derived(Derivation)
    case toOne(target: String, isOptional: Bool, Link)
    case toMany(target: String, Link)
  }

  /// The derivation of a derived attribute, in the words of the model.
  struct Derivation {
    let kind: String
    let relationship: String
    let attribute: String?
  }

  /// The arguments of `@Relationship`, as written.
  struct Link {
    var inverse: String?
    var deleteRule: String?
    var ordered: String?
    var acyclic: String?
    var least: String?
    var most: String?
  }

  var isToMany: Bool {
    if case .toMany = kind { true } else { false }
  }

  var isDerived: Bool {
    if case .derived = kind { true } else { false }
  }

  /// Whether the type is written as an optional.
  var isOptional: Bool { type.hasSuffix("?") || type.hasPrefix("Optional<") }
}

#endif
