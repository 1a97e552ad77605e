import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// What the compiler loads.
@main
struct DaybookPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [EntityMacro.self, PropertyMacro.self]
}
