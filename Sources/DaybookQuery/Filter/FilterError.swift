/// Why a filter was refused, and the place in its text that is to blame.
///
///     name BEGINSWIHT "Ch"
///          ^
///     an operator such as == or CONTAINS is expected here, not “BEGINSWIHT”
public struct FilterError: Error, Hashable, Sendable {
  /// The text of the filter; of one that was put together in code, the text that it would have.
  public var text: String { place.text }
  /// The character at fault, counted from 1; one more than there are where the text ends too early.
  public var column: Int { place.column }
  /// What is wrong there and what to do.
  public let message: String

  private let place: PointedText

  init(_ message: String, in text: String, utf8Offset: Int) {
    self.message = message
    place = PointedText(text, utf8Offset: utf8Offset)
  }
}

extension FilterError: CustomStringConvertible {
  /// The message, the column, and the text with a caret under the column.
  public var description: String { "filter: \(message), at column \(column)\n\(place.drawing)" }
}
