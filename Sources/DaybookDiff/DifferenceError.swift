/// An error in a difference, or in the lists and facts it is made from or applied to.
///
/// The ``message`` describes the fault and the row or section. If applying a difference
/// throws this error, the list is not the one at which the difference begins: fetch the result again and continue from
/// its position.
public struct DifferenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  package let code: Code
  /// The fault and its place.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }

  /// The kinds of errors. Later versions may add kinds.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    private init(_ description: String) { self.description = description }

    /// A list contains an id or a section name twice, or an empty section.
    package static let badList = Code("badList")
    /// The difference contradicts itself.
    ///
    /// A row or a path is used twice, or the changes are not in order.
    package static let badDifference = Code("badDifference")
    /// The difference does not belong to this list.
    package static let mismatch = Code("mismatch")
    /// The facts about the changed rows and sections contradict each other.
    package static let badFacts = Code("badFacts")
  }
}
