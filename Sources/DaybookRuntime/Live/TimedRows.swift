import DaybookEngine
import DaybookModel
import DaybookQuery

/// The time of a request's rows at the head, with the moments at which it changes them.
struct TimedRows {
  /// The request at the time of the rows.
  private(set) var request: ResolvedRequest
  private var turning: TurningRows

  /// - Parameter request: The request at a time.
  /// - Complexity: As ``TurningRows/init(of:after:in:)``.
  init(_ request: ResolvedRequest, in reader: Reader) throws {
    guard let now = request.request.now else { preconditionFailure("A request that reads the time has one.") }
    self.request = request
    turning = try TurningRows(of: request, after: now, in: reader)
  }

  var time: Timestamp {
    guard let now = request.request.now else { preconditionFailure("A request that reads the time has one.") }
    return now
  }

  /// The first moment at which the time may change rows; `nil` if it never does.
  var nextMoment: Timestamp? { turning.next(after: time) }

  /// Returns whether the time has changed nothing since an earlier time.
  func isUnchanged(since start: Timestamp) throws -> Bool {
    try turning.rows(after: start, through: time)?.isEmpty ?? false
  }

  /// Moves to a later time, over the commits of a range.
  ///
  /// - Returns: What changed.
  /// - Complexity: O(*k* log *n*) for *k* events and rows that turn.
  mutating func move(
    to now: Timestamp, over range: CommitRange, _ resolution: LiveRequest.Resolution
  ) throws -> RowChanges {
    let later = now == time ? request : try resolution.request(at: now)
    let touched = try range.candidates(resolution.dependents)
    let changes = try range.changes(
      from: request, to: later, touched, turned: turning.rows(after: time, through: now))
    if !touched.isEmpty { try range.update(&turning, touched.keys, of: later) }
    request = later
    return changes
  }

  /// Returns what changed since an earlier time, over the commits of a range that ends at the head.
  ///
  /// - Parameter former: Returns a reader of the state before the range, if the caller has one.
  func changes(
    over range: CommitRange, since start: Timestamp, _ resolution: LiveRequest.Resolution,
    before former: (() throws -> Reader?)? = nil
  ) throws -> RowChanges {
    // A later time than the one of the rows comes from rows that are ranked separately.
    let (first, last) = (min(start, time), max(start, time))
    return try range.changes(
      from: resolution.request(at: start), to: request, range.candidates(resolution.dependents),
      turned: turning.rows(after: first, through: last), before: former)
  }
}
