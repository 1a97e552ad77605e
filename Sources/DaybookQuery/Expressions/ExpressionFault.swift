/// The reason why a text is not a regular expression, or is refused as one.
struct ExpressionFault: Error, CustomStringConvertible {
  /// What is wrong, as a part of a sentence.
  let message: String
  /// The place in the expression in Unicode scalars, from 1; `nil` for the whole.
  let place: Int?

  init(_ message: String, at offset: Int? = nil) {
    self.message = message
    place = offset.map { $0 + 1 }
  }

  var description: String { place.map { "\(message), at its character \($0)" } ?? message }
}
