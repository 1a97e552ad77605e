/// A check that a task makes from time to time while it reads the rows of requests, and that may end the reading.
///
///     try ReadingCheck.$current.withValue({ try deadline.check() }) {
///       try reader.count(request)
///     }
package enum ReadingCheck {
  /// The check; `nil` for none. What it throws is thrown by the fetch or the count.
  @TaskLocal package static var current: (@Sendable () throws -> Void)?

  /// The number of rows that are read between two checks, which take about as long as reading some rows.
  static let interval = 256
}
