/// An error for a refused filter, with the faulty place in its text.
///
///     name BEGINSWIHT "Ch"
///          ^
///     an operator such as == or CONTAINS is expected here, not “BEGINSWIHT”
public struct FilterError: Error, Hashable, Sendable {
  /// The text of the filter; for a filter built in code, its canonical text.
  public var text: String { place.text }
  /// The faulty character, counted from 1; one past the last if the text ends too early.
  public var column: Int { place.column }
  /// The fault and the remedy.
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
