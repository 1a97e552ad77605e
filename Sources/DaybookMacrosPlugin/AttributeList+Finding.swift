#if Macros

import SwiftSyntax

extension AttributeListSyntax {
  /// Returns the attributes with a name, with or without a module before it.
  func all(_ name: String) -> [AttributeSyntax] {
    compactMap { element in
      guard case .attribute(let attribute) = element else { return nil }
      let written = attribute.attributeName.trimmedDescription
      return written == name || written.hasSuffix("." + name) ? attribute : nil
    }
  }

  func first(_ name: String) -> AttributeSyntax? { all(name).first }

  func has(_ name: String) -> Bool { first(name) != nil }
}

extension AttributeSyntax {
  private var list: LabeledExprListSyntax? {
    guard case .argumentList(let list) = arguments else { return nil }
    return list
  }

  /// Returns the argument with a label.
  func argument(_ label: String) -> LabeledExprSyntax? { list?.first { $0.label?.text == label } }

  /// Returns the source text of the argument with a label.
  func text(_ label: String) -> String? { argument(label)?.expression.trimmedDescription }

  /// Returns the source texts of the argument with a label and of all after it up to the next label.
  func texts(_ label: String) -> [String] {
    guard let list, let first = list.firstIndex(where: { $0.label?.text == label }) else { return [] }
    let others = list[list.index(after: first)...].prefix { $0.label == nil }
    return ([list[first]] + others).map(\.expression.trimmedDescription)
  }

  /// The source texts of the arguments without a label.
  var unlabeled: [String] { list?.filter { $0.label == nil }.map(\.expression.trimmedDescription) ?? [] }

  /// Returns the last name of a key path: `recipes` of `\RecipeType.recipes`.
  func keyPathName(_ label: String) -> String? {
    guard let path = argument(label)?.expression.as(KeyPathExprSyntax.self),
      let last = path.components.last?.component.as(KeyPathPropertyComponentSyntax.self)
    else { return nil }
    return last.declName.baseName.text
  }

  /// Whether the argument `inverse` is `.itself`.
  var isOwnInverse: Bool {
    argument("inverse")?.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "itself"
  }
}

#endif
