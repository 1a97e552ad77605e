import Daybook

/// An operation of a line that cannot be read or performed.
package struct OperationFault: Error {
  /// The number of the operation, from 0; `nil` if the line is one operation.
  package let number: Int?
  package let error: any Error

  package init(number: Int?, error: any Error) {
    (self.number, self.error) = (number, error)
  }

  /// The operation in the line, as a JSON pointer (RFC 6901).
  package var pointer: String? { number.map { "/commit/\($0)" } }
}
