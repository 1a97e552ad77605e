import Daybook
import DaybookEngine

/// The time that one answer may take to make.
struct ReadingDeadline: Sendable {
  private let end: ContinuousClock.Instant
  private let limit: Duration

  init(after limit: Duration) {
    self.limit = limit
    end = .now + limit
  }

  /// Calls a closure that reads rows with a reader.
  ///
  /// - Throws: `Problem` with the status 503 if the time is over before it returns.
  func limit<Result>(_ reader: borrowing StoreReader, _ body: () throws -> Result) throws -> Result {
    let rows = reader.reader
    rows.readingCheck = check
    defer { rows.readingCheck = nil }
    return try body()
  }

  private func check() throws {
    guard ContinuousClock.now > end else { return }
    throw Problem(
      .serviceUnavailable, "The answer took longer than \(limit.components.seconds) s to make.",
      advice: "Ask for less: a filter that an index serves, fewer rows, or a position nearer to the head.",
      retryAfter: 10)
  }
}
