import DaybookDiff
import DaybookModel
import DaybookRuntime

/// What a store can follow in step with others: a ``Request`` for its rows, or a ``Measure`` over them.
public protocol LiveQuery: Sendable {
  /// What a step holds for it: a ``Change``, or a ``LiveValue``.
  associatedtype Step: Sendable

  /// How the store follows it.
  var _followed: _FollowedQuery<Step> { get }
}

/// How a store follows a ``LiveQuery``.
public struct _FollowedQuery<Step: Sendable>: Sendable {
  let request: JointRequest
  /// Returns what a step holds for the query.
  let step: @Sendable (_ part: JointChange.Part?, _ step: JointChange, _ store: Store) -> Step
}

extension Request: LiveQuery {
  public var _followed: _FollowedQuery<Change<Difference<Row.ID>>> {
    _FollowedQuery(request: .rows(of: fetch)) { part, step, store in
      let change = if case .rows(let change) = part { change } else { ResultsChange(from: step.from, to: step.to) }
      return change.stamped(step.stamp, at: step.time).of(self, in: store)
    }
  }
}

extension Measure: LiveQuery {
  public var _followed: _FollowedQuery<LiveValue> {
    _FollowedQuery(request: .value(aggregation, of: request.fetch)) { part, step, _ in
      guard case .value(let value) = part else { preconditionFailure("Each step has the value of each measure.") }
      return value
    }
  }
}
