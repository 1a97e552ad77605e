import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Name`, `@Unique` and similar attributes, which generate no code.
///
/// ``EntityMacro`` reads them.
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
    // Without a lexical context no check is possible; the compiler always passes one.
    guard let outer = context.lexicalContext.first else { return [] }
    let attributes = outer.asProtocol((any WithAttributesSyntax).self)?.attributes
    if attributes?.has("Entity") != true { context.diagnose(EntityFault.outside(name).diagnostic(at: node)) }
    return []
  }
}
