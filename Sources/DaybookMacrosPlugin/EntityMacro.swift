#if Macros

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Entity`: makes a struct conform to `Storable`, or to `Derivable` if it has a key.
struct EntityMacro {
  /// Reads the struct as an entity; there are diagnostics if it cannot be one.
  private static func read(
    _ node: AttributeSyntax, _ structure: StructDeclSyntax, in context: some MacroExpansionContext
  ) -> (entity: EntityDeclaration?, diagnostics: [Diagnostic]) {
    if let generics = structure.genericParameterClause {
      let fault = EntityFault("generic", "an entity has one shape, so it cannot be generic")
      return (nil, [fault.diagnostic(at: generics)])
    }
    let reader = PropertyReader(reading: structure, in: context)
    guard reader.diagnostics.isEmpty else { return (nil, reader.diagnostics) }
    let entity = EntityDeclaration(structure, node, reader)
    let diagnostics = DerivedEntityCheck(entity, structure, node).diagnostics
    return (diagnostics.isEmpty ? entity : nil, diagnostics)
  }

  private static func diagnoseKind(
    _ declaration: some DeclGroupSyntax, _ node: AttributeSyntax, in context: some MacroExpansionContext
  ) {
    let fault = EntityFault("kind", "an entity is a struct: its values are what objects hold")
    guard let other = declaration.as(ClassDeclSyntax.self), other.inheritanceClause == nil else {
      return context.diagnose(fault.diagnostic(at: node))
    }
    context.diagnose(fault.diagnostic(at: other.classKeyword, fixes: [.replacing(other.classKeyword, with: "struct")]))
  }
}

extension EntityMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    // The compiler requests members only on demand, so the other role diagnoses a declaration that is no struct.
    guard let structure = declaration.as(StructDeclSyntax.self) else { return [] }
    let (entity, diagnostics) = read(node, structure, in: context)
    for diagnostic in diagnostics { context.diagnose(diagnostic) }
    return entity.map { EntityWriter(entity: $0).members } ?? []
  }
}

extension EntityMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let structure = declaration.as(StructDeclSyntax.self) else {
      diagnoseKind(declaration, node, in: context)
      return []
    }
    // Other faults are reported with the members; a conformance would only add errors about missing requirements.
    guard !protocols.isEmpty, let entity = read(node, structure, in: context).entity else { return [] }
    // The compiler does not find a conformance that follows from another one of a macro, so both are written.
    let conformances = ["Fetchable", entity.key.isEmpty ? "Storable" : "Derivable"].filter { name in
      protocols.contains { $0.trimmedDescription.split(separator: ".").last == name[...] }
    }
    guard !conformances.isEmpty else { return [] }
    let list = conformances.map { "Daybook." + $0 }.joined(separator: ", ")
    return [try ExtensionDeclSyntax("extension \(type.trimmed): \(raw: list) {}")]
  }
}

/// `@Name`, `@Unique` and similar attributes, which generate no code.
///
/// ``EntityMacro`` reads them.
struct PropertyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let name = node.attributeName.trimmedDescription
    if let structure = declaration.as(StructDeclSyntax.self) {
      if !structure.attributes.has("Entity") { context.diagnose(EntityFault.outside(name).diagnostic(at: node)) }
      return []
    }
    // Without a lexical context no check is possible; the compiler always passes one.
    guard let outer = context.lexicalContext.first else { return [] }
    let attributes = outer.asProtocol((any WithAttributesSyntax).self)?.attributes
    // The names and former names of an event's attributes are written as an entity's are.
    if name.hasSuffix("Attribute"), attributes?.has("Event") == true { return [] }
    if attributes?.has("Entity") != true { context.diagnose(EntityFault.outside(name).diagnostic(at: node)) }
    return []
  }
}

#endif
