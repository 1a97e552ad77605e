/// A limit on the work of a task or a thread, which everything that may take long observes.
///
///     try WorkLimit.$current.withValue(WorkLimit(.seconds(10))) { try store.read { try $0.fetch(request) } }
///
/// It is a value of the task, as a trace is: what is called, however deep, needs no parameter for it. Loops count their
/// steps with a ``WorkCounter``, and read the clock at intervals. When the limit is exceeded, every further check
/// throws, so an error that is caught on the way does not let the work continue.
package final class WorkLimit: Sendable {
  /// The limit of the present task or thread; `nil` for none.
  @TaskLocal package static var current: WorkLimit?

  /// The time that errors name; `nil` for any time.
  private let duration: Duration?
  private let end: ContinuousClock.Instant?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let isCancelled: @Sendable () -> Bool
  /// The limit inside which this one was made.
  private let outer: WorkLimit?

  /// Makes a limit that begins now, inside the present one.
  ///
  /// - Parameters:
  ///   - duration: The time that the work may take; `nil` for any time.
  ///   - total: The time that errors name; `nil` for the same.
  ///   - now: Returns the present time.
  ///   - isCancelled: Whether the result is no longer needed.
  package init(
    _ duration: Duration?, of total: Duration? = nil, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) {
    self.duration = total ?? duration
    self.now = now
    self.isCancelled = isCancelled
    end = duration.map { now() + $0 }
    outer = WorkLimit.current
  }

  /// The time that is left, of this limit and of those that surround it; `nil` for any time.
  package var timeLeft: Duration? {
    let ends = [end.map { $0 - now() }, outer?.timeLeft].compactMap { $0 }
    return ends.min().map { max($0, .zero) }
  }

  /// Throws if the limit is exceeded, or one that surrounds it.
  package func check() throws(WorkLimitExceeded) {
    if isCancelled() { throw .cancelled }
    if let end, let duration, now() > end { throw .time(duration) }
    try outer?.check()
  }

  /// Throws if the present limit is exceeded; does nothing without one.
  package static func check() throws(WorkLimitExceeded) {
    try current?.check()
  }

  /// Calls a closure that no limit ends, because half of its work would be no use.
  ///
  /// It is inlinable so that a write without a limit makes no use of the types' metadata.
  @inlinable
  package static func suspending<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isPresent else { return try body() }
    return try suspendingPresent(body)
  }

  /// Whether there is a limit.
  @usableFromInline static var isPresent: Bool { current != nil }

  @usableFromInline
  static func suspendingPresent<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The closure of `withValue` throws any error.
    var result: Swift.Result<Result, Failure>?
    $current.withValue(nil) { result = Swift.Result(catching: body) }
    guard let result else { preconditionFailure("The closure is called.") }
    return try result.get()
  }
}

/// The error of work that has exceeded its limit.
package enum WorkLimitExceeded: Error, Hashable, Sendable {
  /// It took longer than this.
  case time(Duration)
  /// The result is no longer needed.
  case cancelled
}

/// Counts the steps of a loop, and checks the present limit from time to time.
///
/// A step is what takes some nanoseconds, up to a look-up in a table.
@frozen
package struct WorkCounter: Sendable {
  /// The number of steps between two checks: a fraction of a millisecond.
  package static let interval = 1_024

  @usableFromInline var rest = WorkCounter.interval

  package init() {}

  /// Counts steps.
  @inlinable
  @inline(__always)
  package mutating func step(_ count: Int = 1) throws(WorkLimitExceeded) {
    rest -= count
    if rest <= 0 { try check() }
  }

  /// Checks the present limit if a piece of work has as many steps as there are between two checks.
  ///
  /// It is for work that is not divided, such as a search in a text.
  package static func pass(_ count: Int) throws(WorkLimitExceeded) {
    if count >= interval { try WorkLimit.check() }
  }

  @usableFromInline
  @inline(never)
  mutating func check() throws(WorkLimitExceeded) {
    rest = WorkCounter.interval
    try WorkLimit.check()
  }
}
