import DaybookMacroExpansion
import SwiftCompilerPlugin
import SwiftSyntax
import SwiftSyntaxMacros

/// The plugin that the compiler loads.
@main
struct DaybookPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [EntityMacro.self, EventMacro.self, PropertyMacro.self]
}

/// A macro of the plugin that a macro of the library expands.
///
/// The compiler looks up macros by the name of the plugin's own module.
protocol ForwardingMacro: MemberMacro, ExtensionMacro {
  associatedtype Target: MemberMacro, ExtensionMacro
}

extension ForwardingMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    try Target.expansion(of: node, providingMembersOf: declaration, conformingTo: protocols, in: context)
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    try Target.expansion(
      of: node, attachedTo: declaration, providingExtensionsOf: type, conformingTo: protocols, in: context)
  }
}

/// The `@Entity` macro.
struct EntityMacro: ForwardingMacro {
  typealias Target = DaybookMacroExpansion.EntityMacro
}

/// The `@Event` macro.
struct EventMacro: ForwardingMacro {
  typealias Target = DaybookMacroExpansion.EventMacro
}

/// The macros `@Name`, `@Unique` and similar ones.
struct PropertyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    try DaybookMacroExpansion.PropertyMacro.expansion(of: node, providingPeersOf: declaration, in: context)
  }
}
