/// An error for a refused request, or for the text of a filter, a sort term or a section key: the fault, its place and the
/// remedy.
///
///     name BEGINSWIHT "Ch"
///          ^
///     an operator such as == or CONTAINS is expected here, not “BEGINSWIHT”
public struct QueryError: Error, Hashable, Sendable {
  /// The fault and the remedy.
  public let message: String
  /// The text with the fault, for a filter built in code its canonical text; `nil` if the fault is in no text.
  public var text: String? { place?.text }
  /// The faulty character of the text, counted from 1; one past the last if the text ends too early.
  public var column: Int? { place?.column }
  /// The part of the request with the fault, such as `limit`; `nil` for an entity, and for a text without a request.
  package let part: String?

  private let place: PointedText?

  /// Makes an error for a part of a request, or for its entity.
  init(_ message: String, in part: String? = nil) {
    (self.message, self.part, place) = (message, part, nil)
  }

  /// Makes an error for the text of a sort term or a section key.
  init(_ message: String, at place: PointedText) {
    (self.message, part, self.place) = (message, nil, place)
  }

  /// Makes an error for a part of a request that has a text of its own.
  init(_ message: String, in part: String, at place: PointedText) {
    (self.message, self.part, self.place) = (message, part, place)
  }

  /// Makes the same error for another part of the request.
  init(_ error: QueryError, in part: String) {
    (message, self.part, place) = (error.message, part, error.place)
  }

  /// Makes an error for the text of a filter.
  init(_ message: String, inFilter text: String, utf8Offset: Int) {
    (self.message, part) = (message, QueryError.filterPart)
    place = PointedText(text, utf8Offset: utf8Offset)
  }

  private static let filterPart = "filter"
  static let havingPart = "having"

  /// Whether the fault is in a filter on objects.
  package var isOfFilter: Bool { part == QueryError.filterPart }
}

extension QueryError: CustomStringConvertible {
  /// The part and the message; for a fault in a text also the column, and the text with a caret under the column.
  public var description: String {
    let fault = part.map { "\($0): \(message)" } ?? message
    return place.map { "\(fault), at column \($0.column)\n\($0.drawing)" } ?? fault
  }
}
