#if Macros

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Reads the stored properties of a struct, and collects their faults.
struct PropertyReader {
  let entity: String
  /// Whether the struct is an event, which has neither an id nor times of its own.
  private let isEvent: Bool
  private let context: any MacroExpansionContext
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var properties: [EntityProperty] = []
  /// The name property.
  var name: String?
  /// The properties whose values must be unique.
  var unique: [String] = []
  /// The properties by which the objects are indexed.
  var indexes: [String] = []

  init(
    reading structure: StructDeclSyntax, asEvent isEvent: Bool = false, in context: any MacroExpansionContext
  ) {
    entity = structure.name.text
    self.isEvent = isEvent
    self.context = context
    for member in structure.memberBlock.members {
      if let variable = member.decl.as(VariableDeclSyntax.self) { read(variable) }
    }
  }

  private mutating func read(_ declaration: VariableDeclSyntax) {
    let modifiers = declaration.modifiers.map(\.name.tokenKind)
    guard !modifiers.contains(.keyword(.static)), !modifiers.contains(.keyword(.class)) else { return }
    for binding in declaration.bindings where binding.isStored { read(binding, of: declaration) }
  }

  private mutating func read(_ binding: PatternBindingSyntax, of declaration: VariableDeclSyntax) {
    guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
      return complain(binding.pattern, "pattern", "declare each property by itself")
    }
    let name = pattern.identifier.text.replacing("`", with: "")
    guard checkName(name, at: pattern), checkStorage(binding, of: declaration) else { return }
    guard let type = typeText(of: binding) else { return }
    guard let kind = kind(of: binding, declaration, type: type) else { return }
    let property = EntityProperty(
      name: name, type: type, initialValue: binding.initializer?.value.trimmedDescription, kind: kind,
      renamedFrom: ["Attribute", "Relationship", "Derived"].lazy.compactMap {
        declaration.attributes.first($0)?.text("renamedFrom")
      }.first, location: location(of: binding, kind, type: type), isKey: declaration.attributes.has("Key"))
    readMarks(of: property, declaration)
    properties.append(property)
  }

  /// Returns a directive with the place of a property whose type the compiler must check.
  ///
  /// The compiler would report an unsuitable type in the generated code, which is in no file. With the directive it
  /// reports the property.
  private func location(of binding: PatternBindingSyntax, _ kind: EntityProperty.Kind, type: String) -> String? {
    guard case .attribute = kind, !Names.attributeTypes.contains(type.hasSuffix("?") ? String(type.dropLast()) : type),
      let location = context.location(of: binding, at: .afterLeadingTrivia, filePathMode: .filePath)
    else { return nil }
    return "#sourceLocation(file: \(location.file.trimmedDescription), line: \(location.line.trimmedDescription))"
  }

  mutating func complain(_ node: some SyntaxProtocol, _ id: String, _ message: String, fixes: [FixIt] = []) {
    diagnostics.append(EntityFault(id, message).diagnostic(at: node, fixes: fixes))
  }
}

extension PropertyReader {
  private mutating func checkName(_ name: String, at node: IdentifierPatternSyntax) -> Bool {
    if !isEvent, Names.builtIn.contains(name) {
      let advice = "it comes with Record<\(entity)>, so leave the property out"
      complain(node, "builtIn", "every object has “\(name)” already; \(advice)")
      return false
    }
    if Names.reserved.contains(name.lowercased()) || name == "fieldPath" {
      complain(
        node, "reserved", "“\(name)” is a word of filters and cannot name a property",
        fixes: [.replacing(node.identifier, with: name + "Value")])
      return false
    }
    return true
  }

  private mutating func checkStorage(_ binding: PatternBindingSyntax, of declaration: VariableDeclSyntax) -> Bool {
    for word in [Keyword.lazy, .weak, .unowned] {
      guard let modifier = declaration.modifiers.first(where: { $0.name.tokenKind == .keyword(word) }) else { continue }
      let text = modifier.name.text
      complain(
        modifier, "storage", "a \(text) property cannot be stored", fixes: [.removing(modifier, "remove “\(text)”")])
      return false
    }
    if declaration.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil {
      complain(
        declaration.bindingSpecifier, "constant", "a constant with a value cannot take what was stored",
        fixes: [.replacing(declaration.bindingSpecifier, with: "var")])
      return false
    }
    return true
  }

  private mutating func typeText(of binding: PatternBindingSyntax) -> String? {
    if let type = binding.typeAnnotation?.type {
      if case .unfit(let reason, let instead) = PropertyType(type, in: entity) {
        complain(type, "type", reason, fixes: instead.map { [.replacing(type, with: $0)] } ?? [])
        return nil
      }
      return type.trimmedDescription
    }
    if let value = binding.initializer?.value, let type = Literal.type(of: value) { return type }
    let name = binding.pattern.trimmedDescription
    complain(
      binding.pattern, "untyped", "the type of “\(name)” must be written",
      fixes: [.replacing(binding.pattern, with: "\(name): <#Type#>", "write the type")])
    return nil
  }
}

extension PatternBindingSyntax {
  /// Whether the property has storage: no accessors, or only observers.
  var isStored: Bool {
    guard let accessors = accessorBlock?.accessors else { return true }
    guard case .accessors(let list) = accessors else { return false }
    return list.allSatisfy { [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
  }
}

#endif
