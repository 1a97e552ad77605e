import DaybookDiff
import DaybookModel

/// What happened to the result of a request between two positions.
///
///     for try await change in store.changes(of: request, from: saved) {
///       table = try table.applying(change.difference)
///       saved = change.to
///     }
///
/// ``Difference`` says by which rules the difference is made.
public struct ResultsChange: Sendable, Hashable {
  /// The position of the old result.
  public let from: Position
  /// The position of the new result: with it a feed goes on later, in any process.
  public let to: Position
  /// Whether there is no difference to be had, and the result must be fetched anew: the model changed in what the
  /// request reaches, or the span was too large for a live feed. The difference is empty then.
  public let isReset: Bool
  /// What leads from the old result to the new one.
  public let difference: Difference<ObjectID>
  /// For each changed row the commits that changed something it reaches, rising. Rows that only crossed the edge of a
  /// limit or an offset have none.
  public let causes: [ObjectID: [Position]]

  package init(
    from: Position, to: Position, difference: Difference<ObjectID>, causes: [ObjectID: [Position]] = [:],
    isReset: Bool = false
  ) {
    self.from = from
    self.to = to
    self.difference = difference
    self.causes = causes
    self.isReset = isReset
  }

  /// Whether the result is the same.
  public var isEmpty: Bool { difference.isEmpty && !isReset }

  /// A change that says only that the result must be fetched anew.
  static func reset(from: Position, to: Position) -> ResultsChange {
    ResultsChange(from: from, to: to, difference: Difference(sections: [], rows: []), isReset: true)
  }

  /// The way back, with the same causes.
  package var inverted: ResultsChange {
    ResultsChange(from: to, to: from, difference: difference.inverted, causes: causes, isReset: isReset)
  }
}
