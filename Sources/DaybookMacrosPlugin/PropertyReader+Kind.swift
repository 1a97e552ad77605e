#if Macros

import SwiftDiagnostics
import SwiftSyntax

// Attributes and relationships.
extension PropertyReader {
  mutating func kind(
    of binding: PatternBindingSyntax, _ declaration: VariableDeclSyntax, type: String
  ) -> EntityProperty.Kind? {
    let written = binding.typeAnnotation.map { PropertyType($0.type, in: entity) } ?? .value
    let relationship = declaration.attributes.first("Relationship")
    switch written {
    case .toOne(let target, let isOptional):
      if let ordered = relationship?.argument("ordered"), ordered.expression.trimmedDescription == "true" {
        complain(
          ordered, "ordered", "a relationship to one object has no order",
          fixes: [.replacing(ordered.expression, with: "false")])
        return nil
      }
      for word in ["least", "most"] {
        guard let limit = relationship?.argument(word) else { continue }
        complain(limit, "limit", "“\(word)” is for a relationship to many objects; one object is required or optional")
        return nil
      }
      guard checkLink(relationship, declaration) else { return nil }
      return .toOne(target: target, isOptional: isOptional, link(relationship, of: binding))
    case .toMany(let target):
      if let acyclic = relationship?.argument("acyclic"), acyclic.expression.trimmedDescription == "true" {
        complain(
          acyclic, "acyclic", "only a relationship to one object can be acyclic; say it at the inverse",
          fixes: [.replacing(acyclic.expression, with: "false")])
        return nil
      }
      guard checkLink(relationship, declaration) else { return nil }
      return .toMany(target: target, link(relationship, of: binding))
    case .value, .unfit:
      if relationship != nil {
        complainOfRelated(binding.typeAnnotation?.type, at: binding)
        return nil
      }
      return attribute(of: binding, declaration, type: type)
    }
  }

  private func link(_ attribute: AttributeSyntax?, of binding: PatternBindingSyntax) -> EntityProperty.Link {
    let name = binding.pattern.trimmedDescription.replacing("`", with: "")
    let isMirrored = attribute?.isOwnInverse ?? false
    return EntityProperty.Link(
      inverse: isMirrored ? name : attribute?.keyPathName("inverse"), deleteRule: attribute?.text("onDelete"),
      ordered: attribute?.text("ordered"), acyclic: attribute?.text("acyclic"), least: attribute?.text("least"),
      most: attribute?.text("most"))
  }

  private mutating func checkLink(_ attribute: AttributeSyntax?, _ declaration: VariableDeclSyntax) -> Bool {
    for name in ["Name", "Attribute", "Derived"] {
      guard let other = declaration.attributes.first(name) else { continue }
      complain(
        other, "mark", "@\(name) is for attributes, and this is a relationship",
        fixes: [.removing(other, "remove “@\(name)”")])
      return false
    }
    if let attribute, let inverse = attribute.argument("inverse"), attribute.keyPathName("inverse") == nil,
      !attribute.isOwnInverse
    {
      complain(inverse, "inverse", "the inverse is a key path to a property, as \\Recipe.type, or .itself")
      return false
    }
    return true
  }

  /// Reports a relationship whose property has a type that is no id.
  ///
  /// For example, it has the other struct's type.
  private mutating func complainOfRelated(_ type: TypeSyntax?, at binding: PatternBindingSyntax) {
    let message = "related objects are held as ids: Other.ID, Other.ID? or Related<Other>"
    guard let type else { return complain(binding, "related", message) }
    if let array = type.as(ArrayTypeSyntax.self) {
      let instead = "Related<\(array.element.trimmedDescription)>"
      return complain(type, "related", message, fixes: [.replacing(type, with: instead)])
    }
    let optional = type.as(OptionalTypeSyntax.self)
    let instead = (optional?.wrappedType ?? type).trimmedDescription + ".ID" + (optional == nil ? "" : "?")
    complain(type, "related", message, fixes: [.replacing(type, with: instead)])
  }

  private mutating func attribute(
    of binding: PatternBindingSyntax, _ declaration: VariableDeclSyntax, type: String
  ) -> EntityProperty.Kind? {
    if let mark = declaration.attributes.first("Derived") { return derived(mark, binding, type: type) }
    let isConstant = binding.initializer.map { Literal.isConstant($0.value, of: type) } ?? false
    let mark = declaration.attributes.first("Attribute")
    return .attribute(isConstant: isConstant, order: mark?.text("order"), rules: mark?.unlabeled ?? [])
  }

  private mutating func derived(
    _ mark: AttributeSyntax, _ binding: PatternBindingSyntax, type: String
  ) -> EntityProperty.Kind? {
    let kinds = ["count", "sum", "minimum", "maximum"]
    guard let kind = kinds.first(where: { mark.argument($0) != nil }), let relationship = mark.keyPathName(kind) else {
      complain(mark, "derived", "@Derived needs a key path to a relationship: @Derived(count: \\\(entity).others)")
      return nil
    }
    let attribute = mark.keyPathName("of")
    if kind != "count", attribute == nil {
      complain(mark, "derived", "@Derived(\(kind):) needs a key path to an attribute: of: \\Other.amount")
      return nil
    }
    let mayBeMissing = kind == "minimum" || kind == "maximum"
    if mayBeMissing, !type.hasSuffix("?"), !type.hasPrefix("Optional<"), let written = binding.typeAnnotation?.type {
      complain(
        written, "derived", "the \(kind) of no values is nil, so the property is an optional",
        fixes: [.replacing(written, with: type + "?")])
      return nil
    }
    return .derived(EntityProperty.Derivation(kind: kind, relationship: relationship, attribute: attribute))
  }
}

#endif
