#if Macros

import SwiftDiagnostics
import SwiftSyntax

/// Checks that the properties of a struct are an event's: the object that it is about, and attributes.
struct EventPropertyCheck {
  private let structure: StructDeclSyntax
  private(set) var diagnostics: [Diagnostic] = []

  init(_ declaration: EntityDeclaration, _ structure: StructDeclSyntax) {
    self.structure = structure
    if !declaration.properties.contains(where: { $0.name == EventCodeWriter.subject }) {
      let message = "an event is about an object: add a property such as “var about: Recipe.ID”"
      diagnostics.append(EntityFault("about", message).diagnostic(at: structure.name))
    }
    for property in declaration.properties { check(property) }
  }

  private mutating func check(_ property: EntityProperty) {
    guard property.name != EventCodeWriter.subject else {
      if case .toOne(_, isOptional: false, _) = property.kind, property.initialValue == nil { return }
      return complain(property, "about", "“about” is the id of the object, without a default: Recipe.ID")
    }
    switch property.kind {
    case .attribute(_, order: nil, rules: []): break
    case .attribute(_, _, let rules) where !rules.isEmpty:
      complain(property, "rules", "what was recorded is not checked by rules, so leave them out")
    case .attribute: complain(property, "order", "events are not sorted by their attributes, so they have no order")
    case .derived: complain(property, "derived", "an event holds what was recorded, and derives nothing")
    case .toOne, .toMany: complain(property, "link", "an event has no links; record an id as an ObjectID")
    }
  }

  private mutating func complain(_ property: EntityProperty, _ id: String, _ message: String) {
    diagnostics.append(EntityFault(id, message).diagnostic(at: structure.type(of: property)))
  }
}

#endif
