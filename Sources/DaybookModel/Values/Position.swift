/// The number of a commit in the journal: 1, 2, 3, ... without gaps.
///
/// Position 1 is the model; ``empty`` (0) is the state before it.
public struct Position: BitwiseCopyable, Hashable, Sendable, Codable {
  /// The number itself.
  public let number: UInt64

  /// Creates a position with a number.
  @inlinable
  public init(_ number: UInt64) {
    self.number = number
  }

  /// The empty state before the model.
  public static let empty = Position(0)

  /// The position, or `nil` for ``empty``, which stands for no position in events.
  @inlinable
  package var orNil: Position? { number == 0 ? nil : self }

  /// The next position.
  @inlinable
  package var next: Position { Position(number + 1) }
}

extension Position: Comparable {
  @inlinable
  public static func < (a: Position, b: Position) -> Bool { a.number < b.number }
}

extension Position: ExpressibleByIntegerLiteral, CustomStringConvertible {
  @inlinable
  public init(integerLiteral value: UInt64) { self.init(value) }

  public var description: String { String(number) }

  public init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(UInt64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

extension Position {
  /// The position's number as JSON.
  package var json: JSONValue { .integer(Int64(clamping: number)) }
}
