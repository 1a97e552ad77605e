/// An error for a refused fetch request: the fault, its place and the remedy.
///
/// A fault in the filter's text is a ``FilterError``, found in ``filterError``.
public struct QueryError: Error, Hashable, Sendable {
  let reason: Reason

  init(_ reason: Reason) {
    self.reason = reason
  }

  enum Reason: Hashable, Sendable {
    case filter(FilterError)
    /// A fault in the text form of a sort term or a section key.
    case text(PointedText, String)
    case entity(String, advice: String)
    /// A part of the request, and its fault.
    case part(String, String)
  }

  /// The fault in the filter, or `nil` if it is elsewhere.
  public var filterError: FilterError? {
    if case .filter(let error) = reason { error } else { nil }
  }

  /// The part of the request with the fault, such as `limit`; `nil` if it is another fault.
  package var part: String? {
    if case .part(let part, _) = reason { part } else { nil }
  }
}

extension QueryError {
  /// The fault in the text of a sort term or a section key, with the place of its first character, from 1; `nil` if it is
  /// another fault.
  package var textFault: (message: String, column: Int)? {
    if case .text(let place, let message) = reason { (message, place.column) } else { nil }
  }
}

extension QueryError: CustomStringConvertible {
  public var description: String {
    switch reason {
    case .filter(let error): error.description
    case .text(let place, let message): "\(message), at column \(place.column)\n\(place.drawing)"
    case .entity(let name, let advice): "there is no entity “\(name)”\(advice)"
    case .part(let part, let message): "\(part): \(message)"
    }
  }
}
