#if Macros

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Event`: makes a struct conform to `Recordable`.
struct EventMacro {
  /// Returns the writer of the struct's code, or adds diagnostics and returns `nil`.
  private static func writer(
    _ node: AttributeSyntax, _ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
  ) -> EventCodeWriter? {
    guard let structure = declaration.as(StructDeclSyntax.self) else { return nil }
    let (writer, diagnostics) = read(node, structure, in: context)
    for diagnostic in diagnostics { context.diagnose(diagnostic) }
    return writer
  }

  private static func read(
    _ node: AttributeSyntax, _ structure: StructDeclSyntax, in context: some MacroExpansionContext
  ) -> (writer: EventCodeWriter?, diagnostics: [Diagnostic]) {
    if let generics = structure.genericParameterClause {
      let fault = EntityFault("generic", "an event has one shape, so it cannot be generic")
      return (nil, [fault.diagnostic(at: generics)])
    }
    let reader = PropertyReader(reading: structure, asEvent: true, in: context)
    guard reader.diagnostics.isEmpty else { return (nil, reader.diagnostics) }
    let declaration = EntityDeclaration(structure, node, reader)
    let diagnostics = EventPropertyCheck(declaration, structure).diagnostics
    return (diagnostics.isEmpty ? EventCodeWriter(declaration) : nil, diagnostics)
  }
}

extension EventMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    writer(node, declaration, in: context)?.members ?? []
  }
}

extension EventMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let structure = declaration.as(StructDeclSyntax.self) else {
      let fault = EntityFault("kind", "an event is a struct: its values are what was recorded")
      context.diagnose(fault.diagnostic(at: node))
      return []
    }
    // Faults are reported with the members; a conformance would only add errors about missing requirements.
    guard !protocols.isEmpty, read(node, structure, in: context).writer != nil else { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): Daybook.Recordable {}")]
  }
}

#endif
