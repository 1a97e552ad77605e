import DaybookDiff
import DaybookEngine
import DaybookModel

/// The change of a result between two positions.
///
///     for try await change in store.changes(of: request, from: saved) {
///       table = try table.applying(change.difference)
///       saved = change.to
///     }
///
/// The difference is a ``Difference`` for a list, and a ``TreeDifference`` for a tree; their rules are described there.
public struct Change<Difference: ResultDifference>: Sendable {
  /// The position of the old result.
  public let from: Position
  /// The position of the new result, from which a feed can resume later in any process.
  ///
  /// It is equal to ``from`` where the time alone changed the result of a request that names the present time.
  public let to: Position
  /// Whether there is no difference and the result must be fetched again.
  ///
  /// This is so if the model changed in what the request reaches, or if the span was too large for a live feed. The
  /// difference is empty then.
  public let isReset: Bool
  /// The changes that turn the old result into the new one.
  public let difference: Difference
  /// For each changed row, the commits that changed something it reaches, in ascending order.
  ///
  /// A row that the time alone changed has an empty list. Rows that only crossed the edge of a limit or an offset have
  /// none, and neither have the nodes of a tree.
  public let causes: [Difference.RowID: [Position]]
  /// The keys of the changed rows, if they are groups.
  package let keys: [Difference.RowID: [Value]]
  /// The rows of projections of which the new result is.
  package private(set) var stamp: ScopeStamp
  /// The time of the new result, if it depends on the time.
  package private(set) var time: Timestamp?
  /// What the rows of the new result are read from; it is no part of the change's value.
  package var source: (any ChangeSource)?

  package init(
    from: Position, to: Position, difference: Difference = ._none, causes: [Difference.RowID: [Position]] = [:],
    keys: [Difference.RowID: [Value]] = [:], isReset: Bool = false, stamp: ScopeStamp = .stored,
    time: Timestamp? = nil, source: (any ChangeSource)? = nil
  ) {
    (self.stamp, self.time) = (stamp, time)
    self.from = from
    self.to = to
    self.difference = difference
    self.causes = causes
    self.keys = keys
    self.isReset = isReset
    self.source = source
  }

  /// Whether the result is unchanged.
  public var isEmpty: Bool { difference.isEmpty && !isReset }

  /// Returns a change that only requires the result to be fetched again.
  package static func reset(from: Position, to: Position) -> Change { Change(from: from, to: to, isReset: true) }
}

/// Two changes are equal if they have the same positions, difference and causes.
extension Change: Hashable {
  public static func == (a: Change, b: Change) -> Bool {
    (a.from, a.to, a.isReset) == (b.from, b.to, b.isReset) && a.difference == b.difference && a.causes == b.causes
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(from)
    hasher.combine(to)
    hasher.combine(isReset)
    hasher.combine(difference)
    hasher.combine(causes)
  }
}

/// What the rows of a change's new result are read from.
package protocol ChangeSource: AnyObject, Sendable {}

/// The change of a request's result, without types.
package typealias ResultsChange = Change<Difference<ObjectID>>

extension ResultsChange {
  /// The inverse change, from the new result to the old one, with the same causes.
  package var inverted: ResultsChange {
    ResultsChange(
      from: to, to: from, difference: difference.inverted, causes: causes, keys: keys, isReset: isReset, stamp: stamp)
  }
}

extension Change {
  /// Returns the change from an earlier position; nothing changed between the two positions.
  package func reported(from position: Position) -> Change { reported(from: position, to: to) }

  /// Returns the change between two positions; nothing changed before and after its own ones.
  package func reported(from: Position, to: Position) -> Change {
    Change(
      from: from, to: to, difference: difference, causes: causes, keys: keys, isReset: isReset, stamp: stamp,
      time: time,
      source: source)
  }

  /// Returns the same change as one of the rows with a stamp.
  ///
  /// - Parameter time: The time of the new result, if it depends on the time.
  package consuming func stamped(_ stamp: ScopeStamp, at time: Timestamp? = nil) -> Change {
    (self.stamp, self.time) = (stamp, time)
    return self
  }
}
