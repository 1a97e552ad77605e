#if Macros

import SwiftDiagnostics
import SwiftSyntax

// `@Name`, `@Unique`, `@Index` and `@Group`.
extension PropertyReader {
  mutating func readMarks(of property: EntityProperty, _ declaration: VariableDeclSyntax) {
    if let mark = declaration.attributes.first("Name") { readName(mark, of: property) }
    if let mark = declaration.attributes.first("Unique"), check(mark, of: property, derivedIsFit: false) {
      unique.append(property.name)
    }
    if let mark = declaration.attributes.first("Index"), check(mark, of: property, derivedIsFit: true) {
      indexes.append(property.name)
    }
    if let mark = declaration.attributes.first("Group") { complain(mark, "mark", "@Group belongs before the struct") }
  }

  private mutating func readName(_ mark: AttributeSyntax, of property: EntityProperty) {
    let remove = FixIt.removing(mark, "remove “@Name”")
    guard !property.isDerived, ["String", "String?", "Optional<String>"].contains(property.type) else {
      return complain(mark, "name", "a name is a string", fixes: [remove])
    }
    guard name == nil else {
      return complain(mark, "name", "“\(name ?? "")” is the name already", fixes: [remove])
    }
    name = property.name
  }

  private mutating func check(_ mark: AttributeSyntax, of property: EntityProperty, derivedIsFit: Bool) -> Bool {
    let word = mark.attributeName.trimmedDescription
    let remove = FixIt.removing(mark, "remove “@\(word)”")
    guard mark.unlabeled.isEmpty else {
      complain(mark, "mark", "@\(word) with names belongs before the struct")
      return false
    }
    switch property.kind {
    case .toMany:
      complain(mark, "mark", "@\(word) is for single values, and “\(property.name)” leads to many", fixes: [remove])
      return false
    case .derived where !derivedIsFit:
      complain(mark, "mark", "what the store derives cannot be unique", fixes: [remove])
      return false
    case .toOne where derivedIsFit:
      let advice = "name an attribute behind it before the struct: @Index(\"\(property.name).name\")"
      complain(mark, "mark", "a relationship has no order of its own; \(advice)", fixes: [remove])
      return false
    default: return true
    }
  }
}

#endif
