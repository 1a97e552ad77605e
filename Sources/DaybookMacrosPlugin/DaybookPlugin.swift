import DaybookMacroExpansion
import SwiftCompilerPlugin
import SwiftSyntax
import SwiftSyntaxMacros

/// The plugin that the compiler loads.
@main
struct DaybookPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [EntityMacro.self, EventMacro.self, PropertyMacro.self]
}

/// The `@Entity` macro. The compiler looks up macros by the name of the plugin's own module.
struct EntityMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    try DaybookMacroExpansion.EntityMacro.expansion(
      of: node, providingMembersOf: declaration, conformingTo: protocols, in: context)
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    try DaybookMacroExpansion.EntityMacro.expansion(
      of: node, attachedTo: declaration, providingExtensionsOf: type, conformingTo: protocols, in: context)
  }
}

/// The `@Event` macro.
struct EventMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    try DaybookMacroExpansion.EventMacro.expansion(
      of: node, providingMembersOf: declaration, conformingTo: protocols, in: context)
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    try DaybookMacroExpansion.EventMacro.expansion(
      of: node, attachedTo: declaration, providingExtensionsOf: type, conformingTo: protocols, in: context)
  }
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
