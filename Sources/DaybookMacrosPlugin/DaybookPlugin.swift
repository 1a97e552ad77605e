import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The plugin that the compiler loads.
@main
struct DaybookPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [EntityMacro.self, EventMacro.self, PropertyMacro.self]
}
