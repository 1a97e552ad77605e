/// The time that several pieces of work may take together, such as all filters and rules that one write evaluates.
package final class WorkAllowance {
  private let total: Duration?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let isCancelled: @Sendable () -> Bool
  private var spent = Duration.zero

  /// - Parameters:
  ///   - total: The time that all work may take; `nil` for any time.
  ///   - now: Returns the present time.
  ///   - isCancelled: Whether the result is no longer needed.
  package init(
    _ total: Duration?, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.total = total
    self.now = now
    self.isCancelled = isCancelled
  }

  /// Calls a closure within the time that is left.
  package func spend<Result>(_ body: () throws -> Result) rethrows -> Result {
    let start = now()
    defer { spent += now() - start }
    let limit = WorkLimit(total.map { $0 - spent }, of: total, now: now, isCancelled: isCancelled)
    return try WorkLimit.$current.withValue(limit, operation: body)
  }
}
