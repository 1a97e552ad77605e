#if Macros

import SwiftSyntax

extension StructDeclSyntax {
  /// Returns the declaration of a property, of which a name or names separated by commas are declared.
  func declaration(of property: EntityProperty) -> VariableDeclSyntax? {
    memberBlock.members.lazy.compactMap { $0.decl.as(VariableDeclSyntax.self) }.first { declaration in
      declaration.bindings.contains { $0.declares(property) }
    }
  }

  /// Returns the written type of a property, or its name if none is written, to report a fault at it.
  func type(of property: EntityProperty) -> Syntax {
    let binding = declaration(of: property)?.bindings.first { $0.declares(property) }
    return Syntax(binding?.typeAnnotation?.type) ?? Syntax(binding?.pattern) ?? Syntax(name)
  }
}

extension PatternBindingSyntax {
  fileprivate func declares(_ property: EntityProperty) -> Bool {
    pattern.trimmedDescription.replacing("`", with: "") == property.name
  }
}

#endif
