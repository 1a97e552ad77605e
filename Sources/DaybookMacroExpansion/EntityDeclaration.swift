import SwiftSyntax

/// The declaration of an entity, as read from its struct.
struct EntityDeclaration {
  /// The name of the struct.
  let type: String
  /// The name of the entity, as a literal.
  let name: String
  let renamedFrom: String?
  /// The access level of the generated code, such as `public `.
  let access: String
  let properties: [EntityProperty]
  let nameAttribute: String?
  /// Lists of names, as literals.
  let unique: [[String]]
  let indexes: [[String]]
  /// Whether the struct declares an initialiser.
  let hasInitializer: Bool

  init(_ structure: StructDeclSyntax, _ node: AttributeSyntax, _ reader: PropertyReader) {
    type = structure.name.text
    name = node.unlabeled.first ?? "\"\(structure.name.text)\""
    renamedFrom = node.text("renamedFrom")
    let words = structure.modifiers.map(\.name.text)
    access = words.first { $0 == "public" || $0 == "package" }.map { $0 + " " } ?? ""
    properties = reader.properties
    nameAttribute = reader.name
    unique = reader.unique.map { ["\"\($0)\""] } + structure.attributes.all("Unique").map(\.unlabeled)
    indexes = reader.indexes.map { ["\"\($0)\""] } + structure.attributes.all("Index").map(\.unlabeled)
    hasInitializer = structure.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
  }
}
