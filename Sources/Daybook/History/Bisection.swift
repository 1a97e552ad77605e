import DaybookModel

/// The search for the first position at which a condition holds, which is assumed to hold from there on.
///
///     var bisection = Bisection(from: 1, through: head)
///     while let position = bisection.candidate { bisection.record(try holds(at: position)) }
///
/// A bisection knows no store: its caller tests each candidate, by reading the past or by running a program.
public struct Bisection: Hashable, Sendable {
  /// What a bisection found.
  public enum Finding: Hashable, Sendable {
    /// The first position at which the condition holds.
    case first(Position)
    /// The condition does not hold at the end.
    case never
    /// All positions that are left could not be tested; the first one at which the condition holds is among these.
    case skipped(ClosedRange<Position>)
  }

  private let first: Position
  private let last: Position
  /// Positions up to this number, not included, do not hold.
  private var low: UInt64
  /// The first number that is known to hold, or `nil` before the last position was tested.
  private var high: UInt64?
  private var skipped: Set<UInt64> = []
  private var isOver = false
  /// The position to test next, or `nil` at the end.
  public private(set) var candidate: Position?

  /// Begins with the last position, where the condition must hold.
  ///
  /// - Precondition: The first position is not after the last.
  public init(from first: Position, through last: Position) {
    precondition(first <= last, "A bisection has a position to test.")
    (self.first, self.last) = (first, last)
    low = first.number
    candidate = last
  }

  /// Records whether the condition holds at ``candidate``, and chooses the next one.
  ///
  /// - Parameter holds: `nil` if the position cannot be tested.
  /// - Complexity: Of *n* positions, O(log *n*) are tested, and each that cannot be tested.
  public mutating func record(_ holds: Bool?) {
    guard let tested = candidate?.number else { return }
    switch holds {
    case true?: high = tested
    case false?: low = max(low, tested + 1)
    case nil: skipped.insert(tested)
    }
    // Without an end at which the condition holds there is nothing to search.
    isOver = high == nil
    candidate = isOver ? nil : next()
  }

  /// What was found, or `nil` while there is a candidate.
  public var finding: Finding? {
    guard candidate == nil else { return nil }
    guard let high else { return skipped.contains(last.number) ? .skipped(first...last) : .never }
    return low < high ? .skipped(Position(low)...Position(high)) : .first(Position(high))
  }

  /// Returns the untested position that is nearest to the middle, or `nil` if none is left.
  private func next() -> Position? {
    guard let high, low < high else { return nil }
    let middle = low + (high - low) / 2
    var distance: UInt64 = 0
    while true {
      let (before, after) = (middle.subtractingReportingOverflow(distance), middle + distance)
      let hasBefore = !before.overflow && before.partialValue >= low
      if hasBefore, !skipped.contains(before.partialValue) { return Position(before.partialValue) }
      if after < high, !skipped.contains(after) { return Position(after) }
      if !hasBefore, after >= high { return nil }
      distance += 1
    }
  }
}
