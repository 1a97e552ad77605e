import DaybookDiff
import DaybookModel

/// The change of a request's result between two positions.
///
///     for try await change in store.changes(of: request, from: saved) {
///       table = try table.applying(change.difference)
///       saved = change.to
///     }
///
/// ``Difference`` describes the rules of the difference.
public struct ResultsChange: Sendable, Hashable {
  /// The position of the old result.
  public let from: Position
  /// The position of the new result, from which a feed can resume later in any process.
  public let to: Position
  /// Whether there is no difference and the result must be fetched again.
  ///
  /// This is so if the model changed in what the request reaches, or if the span was too large for a live feed. The
  /// difference is empty then.
  public let isReset: Bool
  /// The changes that turn the old result into the new one.
  public let difference: Difference<ObjectID>
  /// For each changed row, the commits that changed something it reaches, in ascending order.
  ///
  /// Rows that only crossed the edge of a limit or an offset have no causes.
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

  /// Whether the result is unchanged.
  public var isEmpty: Bool { difference.isEmpty && !isReset }

  /// Returns a change that only requires the result to be fetched again.
  package static func reset(from: Position, to: Position) -> ResultsChange {
    ResultsChange(from: from, to: to, difference: Difference(sections: [], rows: []), isReset: true)
  }

  /// The inverse change, from the new result to the old one, with the same causes.
  package var inverted: ResultsChange {
    ResultsChange(from: to, to: from, difference: difference.inverted, causes: causes, isReset: isReset)
  }
}

extension ResultsChange {
  /// Returns the change from an earlier position; nothing changed between the two positions.
  package func reported(from position: Position) -> ResultsChange { reported(from: position, to: to) }

  /// Returns the change between two positions; nothing changed before and after its own ones.
  package func reported(from: Position, to: Position) -> ResultsChange {
    ResultsChange(from: from, to: to, difference: difference, causes: causes, isReset: isReset)
  }
}
