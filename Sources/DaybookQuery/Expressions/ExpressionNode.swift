/// A parsed regular expression.
///
/// Its depth is bounded by ``ExpressionParser/maximumDepth``, so functions may follow it recursively.
indirect enum ExpressionNode: Sendable {
  /// One Unicode scalar.
  case scalar(Unicode.Scalar)
  /// One Unicode scalar of a class.
  case scalarClass(ScalarClass)
  case assertion(ExpressionAssertion)
  case sequence([ExpressionNode])
  case choice([ExpressionNode])
  /// - Parameter most: `nil` for any number.
  case repetition(ExpressionNode, least: Int, most: Int?)
}

/// A condition on a place of a text.
enum ExpressionAssertion: Sendable {
  case textStart, textEnd, textEndOrLastLineEnd, lineStart, lineEnd, wordBoundary, noWordBoundary

  /// Returns whether the condition holds between two scalars; `nil` stands for the start or the end of the text.
  ///
  /// - Parameter isLastLineEnd: Whether the text ends after the second scalar, which ends a line.
  func holds(between before: Unicode.Scalar?, and after: Unicode.Scalar?, isLastLineEnd: Bool) -> Bool {
    switch self {
    case .textStart: before == nil
    case .textEnd: after == nil
    case .textEndOrLastLineEnd: after == nil || isLastLineEnd
    case .lineStart:
      // There is no line between the two halves of a line's end.
      before.map { ScalarClass.lineEnds.contains($0) && !($0 == "\r" && after == "\n") } ?? true
    case .lineEnd: after.map { ScalarClass.lineEnds.contains($0) && !(before == "\r" && $0 == "\n") } ?? true
    case .wordBoundary: isWordBoundary(before, after)
    case .noWordBoundary: !isWordBoundary(before, after)
    }
  }

  private func isWordBoundary(_ before: Unicode.Scalar?, _ after: Unicode.Scalar?) -> Bool {
    func isWord(_ scalar: Unicode.Scalar?) -> Bool { scalar.map(ScalarClass.wordScalars.contains) ?? false }
    return isWord(before) != isWord(after)
  }
}
