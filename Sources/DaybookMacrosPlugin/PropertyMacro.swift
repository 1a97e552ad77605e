import DaybookMacroExpansion
import SwiftSyntax
import SwiftSyntaxMacros

/// The macros `@Name`, `@Unique` and similar ones.
struct PropertyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    try DaybookMacroExpansion.PropertyMacro.expansion(of: node, providingPeersOf: declaration, in: context)
  }
}
