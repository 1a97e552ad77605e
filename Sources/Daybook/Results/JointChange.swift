import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The changes of several requests between the same two positions.
///
/// After a step, everything that the caller shows is the state of one position, ``to``.
package struct JointChange: Sendable, Hashable {
  /// The position of the old results.
  package let from: Position
  /// The position of the new results.
  package let to: Position
  /// The part of each request, in the order of the requests; `nil` for a request without a change.
  package let parts: [Part?]
  package let requests: [JointRequest]
  /// The rows of projections of which the new results are.
  let stamp: ScopeStamp
  /// The time of the new results, if they depend on it.
  package var time: Timestamp?
  /// The objects of the changed rows, if the feed was made to read them.
  package var shown: ShownObjects?

  /// What a step holds for one request.
  package enum Part: Sendable, Hashable {
    /// The difference of a result, from ``JointChange/from`` to ``JointChange/to``; or a reset, after which the result
    /// must be fetched again.
    case rows(ResultsChange)
    /// The value of a measure at ``JointChange/to``.
    case value(LiveValue)
  }

  /// What a consumer has that received this step, without the hash of its commit.
  package var cursor: FeedCursor { FeedCursor(position: to, stamp: stamp, time: time) }

  /// Returns the difference of a request that is followed for its rows.
  ///
  /// - Returns: `nil` if the rows did not change, or the request is not followed.
  package func change(of request: FetchRequest) -> ResultsChange? {
    guard case .rows(let change) = part(of: .rows(of: request)) else { return nil }
    return change
  }

  /// Returns the new value of a measure that is followed.
  ///
  /// - Returns: `nil` if the value did not change, or the measure is not followed.
  package func value(_ measure: Aggregation, of request: FetchRequest) -> LiveValue? {
    guard case .value(let value) = part(of: .value(measure, of: request)) else { return nil }
    return value
  }

  /// The change of the only request, which is followed for its rows.
  var onlyChange: ResultsChange {
    guard case .rows(let change) = parts[0] else { preconditionFailure("A step of one request has its rows.") }
    return change.stamped(stamp, at: time)
  }

  /// The value of the only measure.
  var onlyValue: LiveValue {
    guard case .value(let value) = parts[0] else { preconditionFailure("A step of one measure has its value.") }
    return value
  }

  private func part(of request: JointRequest) -> Part? {
    requests.firstIndex(of: request).flatMap { parts[$0] }
  }

  package static func == (a: JointChange, b: JointChange) -> Bool {
    (a.from, a.to) == (b.from, b.to) && a.parts == b.parts && a.requests == b.requests
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(from)
    hasher.combine(to)
    hasher.combine(parts)
    hasher.combine(requests)
  }
}
