/// What is wrong with a difference, or with what one was to be made of or applied to.
///
/// The ``code`` is for programs; the ``message`` says what was wrong and with which row or section. Whoever gets one
/// while applying differences holds a list that is not the one the difference begins at: fetch the result again and go
/// on from its position.
public struct DifferenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What does not fit, for programs.
  public let code: Code
  /// What does not fit, and where.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }

  /// The kinds of errors. More may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    private init(_ description: String) { self.description = description }

    /// A list has an id or a section name twice, or an empty section.
    public static let badList = Code("badList")
    /// The difference contradicts itself: a row or a path is used twice, or the changes are not in order.
    public static let badDifference = Code("badDifference")
    /// The difference is not one of this list.
    public static let mismatch = Code("mismatch")
    /// What is said of the changed rows and sections cannot all be true.
    public static let badFacts = Code("badFacts")
  }
}
