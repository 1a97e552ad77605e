#if Macros

import SwiftDiagnostics
import SwiftSyntax

/// Checks that a struct with `@Key` is an entity that a projection can write.
struct DerivedEntityCheck {
  /// The greatest number of fields in a key, as in `DerivedEntity` of the model.
  private static let maximumKeyCount = 4
  /// Types whose values are data, double or codable.
  private static let unfitKeyTypes: Set<String> = ["Data", "Double", "Float"]

  private let structure: StructDeclSyntax
  private(set) var diagnostics: [Diagnostic] = []

  init(_ entity: EntityDeclaration, _ structure: StructDeclSyntax, _ node: AttributeSyntax) {
    self.structure = structure
    guard !entity.key.isEmpty else { return }
    if let parent = node.argument("parent") {
      complain(parent, "parent", "what a projection writes has no parent; it is an entity of its own")
    }
    for rule in structure.attributes.all("Rule") {
      complain(
        rule, "rule", "what a projection writes is not checked by rules",
        fixes: [.removing(rule, "remove “\(rule.trimmedDescription)”")])
    }
    for groups in structure.attributes.all("Group") {
      complain(
        groups, "groups", "the store keeps no groups of what a projection writes",
        fixes: [.removing(groups, "remove “\(groups.trimmedDescription)”")])
    }
    if entity.key.count > DerivedEntityCheck.maximumKeyCount {
      let fifth = entity.key[DerivedEntityCheck.maximumKeyCount]
      complain(mark(of: fifth), "key", "a key has one to four properties, and this one has \(entity.key.count)")
    }
    for property in entity.properties {
      checkOptions(of: property)
      if property.isKey { checkKey(property) } else { checkOther(property) }
    }
  }

  private mutating func checkKey(_ property: EntityProperty) {
    switch property.kind {
    case .derived:
      complain(mark(of: property), "key", "“\(property.name)” is derived, and a key is what the projection sets")
    case .toMany:
      complain(mark(of: property), "key", "“\(property.name)” leads to many objects, and a key is of single values")
    case .attribute(_, _, let rules):
      if !rules.isEmpty { complainOfRules(of: property) }
      if !DerivedEntityCheck.isFit(property.type) {
        let message = "a key has neither data, floating-point nor codable values; “\(property.type)” is one of them"
        complain(structure.type(of: property), "key", message)
      }
    case .toOne: break
    }
  }

  private static func isFit(_ type: String) -> Bool {
    let wrapped = type.hasPrefix("Optional<") ? String(type.dropFirst(9).dropLast()) : type
    let name = wrapped.hasSuffix("?") ? String(wrapped.dropLast()) : wrapped
    return !unfitKeyTypes.contains(name) && !["[", "Array<", "Set<", "Dictionary<"].contains { name.hasPrefix($0) }
  }

  /// Checks a property outside of the key, whose value must be known before the projection sets it.
  private mutating func checkOther(_ property: EntityProperty) {
    let type = structure.type(of: property)
    switch property.kind {
    case .attribute(let isConstant, _, let rules):
      if !rules.isEmpty { complainOfRules(of: property) }
      guard !isConstant, !property.isOptional else { return }
      let advice = "needs a constant as its default, or must be optional: a projection makes an object by its key alone"
      complain(type, "default", "“\(property.name)” \(advice)")
    case .toOne(_, isOptional: false, _):
      complain(
        type, "optional", "a link outside of the key must be optional: its target may be deleted",
        fixes: [.replacing(type, with: property.type + "?")])
    case .toOne, .toMany, .derived: break
    }
  }

  private mutating func checkOptions(of property: EntityProperty) {
    guard let relationship = structure.declaration(of: property)?.attributes.first("Relationship") else { return }
    for label in ["onDelete", "acyclic", "least", "most"] {
      guard let option = relationship.argument(label) else { continue }
      complain(option, "link", "a link of what a projection writes has no delete rule, no limit, and is not acyclic")
    }
  }

  private mutating func complainOfRules(of property: EntityProperty) {
    let mark = structure.declaration(of: property)?.attributes.first("Attribute")
    complain(Syntax(mark) ?? Syntax(structure.name), "rules", "what a projection writes is not checked by rules")
  }

  private func mark(of property: EntityProperty) -> Syntax {
    Syntax(structure.declaration(of: property)?.attributes.first("Key")) ?? structure.type(of: property)
  }

  private mutating func complain(
    _ node: some SyntaxProtocol, _ id: String, _ message: String, fixes: [FixIt] = []
  ) {
    diagnostics.append(EntityFault(id, message).diagnostic(at: node, fixes: fixes))
  }
}

#endif
