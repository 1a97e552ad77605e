import Daybook

/// A position as it is given in text: a number, `head`, or a time, which selects the last commit recorded by then.
package enum PositionText: Hashable, Sendable {
  case number(Position)
  case head
  case time(Timestamp)

  /// Parses a position; `nil` for any other text.
  package init?(_ text: String) {
    if text == "head" {
      self = .head
    } else if let number = UInt64(text) {
      self = .number(Position(number))
    } else if let time = Timestamp(text) {
      self = .time(time)
    } else {
      return nil
    }
  }

  /// Resolves the position.
  ///
  /// - Throws: `StoreError` with the code `notFound` for a position beyond the head.
  package func resolve(in reader: borrowing StoreReader) throws -> Position {
    switch self {
    case .head: return reader.position
    case .time(let time): return try reader.position(recordedBy: time)
    case .number(let position):
      try reader.requirePosition(position)
      return position
    }
  }
}
