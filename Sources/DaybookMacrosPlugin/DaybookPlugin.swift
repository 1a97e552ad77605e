#if Macros

import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The plugin that the compiler loads.
@main
struct DaybookPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [EntityMacro.self, EventMacro.self, PropertyMacro.self]
}

#else

/// Does nothing: without the trait, no macro is declared that the compiler could send.
@main
enum DaybookPlugin {
  static func main() {}
}

#endif
