import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Name`, `@Unique` and the like: they add nothing by themselves, and are read by ``EntityMacro``.
public struct PropertyMacro: PeerMacro {
  public static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let name = node.attributeName.trimmedDescription
    if let structure = declaration.as(StructDeclSyntax.self) {
      if !structure.attributes.has("Entity") { context.diagnose(EntityFault.outside(name).diagnostic(at: node)) }
      return []
    }
    // Without a lexical context nothing can be said; the compiler always gives one.
    guard let outer = context.lexicalContext.first else { return [] }
    let attributes = outer.asProtocol((any WithAttributesSyntax).self)?.attributes
    if attributes?.has("Entity") != true { context.diagnose(EntityFault.outside(name).diagnostic(at: node)) }
    return []
  }
}
