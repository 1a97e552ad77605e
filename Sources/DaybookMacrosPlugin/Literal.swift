#if Macros

import SwiftSyntax

/// Properties of an initial value that its source text shows.
enum Literal {
  /// Returns the type of a literal, or `nil` for another expression.
  static func type(of expression: ExprSyntax) -> String? {
    if expression.is(IntegerLiteralExprSyntax.self) { return "Int" }
    if expression.is(FloatLiteralExprSyntax.self) { return "Double" }
    if expression.is(BooleanLiteralExprSyntax.self) { return "Bool" }
    if expression.is(StringLiteralExprSyntax.self) { return "String" }
    if let signed = expression.as(PrefixOperatorExprSyntax.self) { return type(of: signed.expression) }
    return nil
  }

  /// Returns whether the value is always the same, so that it can be the attribute's default.
  static func isConstant(_ expression: ExprSyntax, of type: String) -> Bool {
    if let text = expression.as(StringLiteralExprSyntax.self) {
      return text.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    }
    if let array = expression.as(ArrayExprSyntax.self) {
      return array.elements.allSatisfy { isConstant($0.expression, of: "") }
    }
    if let dictionary = expression.as(DictionaryExprSyntax.self) {
      guard case .elements(let elements) = dictionary.content else { return true }
      return elements.allSatisfy { isConstant($0.key, of: "") && isConstant($0.value, of: "") }
    }
    if let member = expression.as(MemberAccessExprSyntax.self) {
      // `Date.now` looks like a case of an enumeration, but differs each time.
      let isTime = ["Date", "Timestamp", "UUID", "ObjectID"].contains { type.hasPrefix($0) }
      return member.base == nil && !isTime && member.declName.baseName.text != "now"
    }
    return self.type(of: expression) != nil
  }
}

#endif
