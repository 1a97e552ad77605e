import DaybookMacroExpansion
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Name`, `@Unique` and the like.
struct PropertyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    try DaybookMacroExpansion.PropertyMacro.expansion(of: node, providingPeersOf: declaration, in: context)
  }
}
