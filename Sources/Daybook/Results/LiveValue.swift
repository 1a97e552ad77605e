import DaybookModel

/// The value of a measure over a request's result, at a position.
public struct LiveValue: Sendable, Hashable {
  /// The position of the result.
  public let position: Position
  /// The value; null if there is none, such as the minimum without rows.
  public let value: Value
}
