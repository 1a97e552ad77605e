/// Why an exact sum or average is not a value of its type.
///
/// The sum itself is kept at any size, so it has a value again once what made it too large is removed.
package enum SumFault: Error, Hashable, Sendable {
  /// The sum of integers needs more than 64 bits.
  case integer
  /// The sum of doubles rounds to a number beyond the greatest one.
  case double
  /// The sum of decimals has more than 38 digits, or an exponent that no decimal has.
  case decimal
  /// Infinities of both signs are among the values.
  case infinities
}

extension SumFault: CustomStringConvertible {
  /// The reason, as the end of a sentence about the sum.
  package var description: String {
    switch self {
    case .integer: "it does not fit 64 bits"
    case .double: "it is beyond the range of doubles"
    case .decimal: "it does not fit the 38 digits and the exponents of decimals"
    case .infinities: "infinities of both signs are among the values"
    }
  }
}
