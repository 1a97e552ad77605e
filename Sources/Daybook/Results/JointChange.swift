import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The changes of several requests between the same two positions.
///
///     for try await step in store.together([.rows(of: recipes), .value(.count, of: tags)], from: saved) {
///       if let change = step.change(of: recipes) { table = try table.applying(change.difference) }
///       if let count = step.value(.count, of: tags) { label = "\(count.value)" }
///       saved = step.to
///     }
///
/// After a step, everything that the caller shows is the state of one position, ``to``.
public struct JointChange: Sendable, Hashable {
  /// The position of the old results.
  public let from: Position
  /// The position of the new results, from which ``Store/together(_:from:granularity:)`` resumes in any process.
  public let to: Position
  /// The part of each request, in the order of the requests; `nil` for a request without a change.
  public let parts: [Part?]
  let requests: [JointRequest]
  /// The objects of the changed rows, if the feed was made to read them.
  package var shown: ShownObjects?

  /// What a step holds for one request.
  public enum Part: Sendable, Hashable {
    /// The difference of a result, from ``JointChange/from`` to ``JointChange/to``; or a reset, after which the result
    /// must be fetched again.
    case rows(ResultsChange)
    /// The value of a measure at ``JointChange/to``.
    case value(LiveValue)
  }

  /// Returns the difference of a request that is followed for its rows.
  ///
  /// - Returns: `nil` if the rows did not change, or the request is not followed.
  public func change(of request: FetchRequest) -> ResultsChange? {
    guard case .rows(let change) = part(of: .rows(of: request)) else { return nil }
    return change
  }

  /// Returns the new value of a measure that is followed.
  ///
  /// - Returns: `nil` if the value did not change, or the measure is not followed.
  public func value(_ measure: Measure, of request: FetchRequest) -> LiveValue? {
    guard case .value(let value) = part(of: .value(measure, of: request)) else { return nil }
    return value
  }

  /// The change of the only request, which is followed for its rows.
  var onlyChange: ResultsChange {
    guard case .rows(let change) = parts[0] else { preconditionFailure("A step of one request has its rows.") }
    return change
  }

  /// The value of the only measure.
  var onlyValue: LiveValue {
    guard case .value(let value) = parts[0] else { preconditionFailure("A step of one measure has its value.") }
    return value
  }

  private func part(of request: JointRequest) -> Part? {
    requests.firstIndex(of: request).flatMap { parts[$0] }
  }

  public static func == (a: JointChange, b: JointChange) -> Bool {
    (a.from, a.to) == (b.from, b.to) && a.parts == b.parts && a.requests == b.requests
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(from)
    hasher.combine(to)
    hasher.combine(parts)
    hasher.combine(requests)
  }
}
