import ArgumentParser
import Daybook

/// A position: a number, `head`, or a time, which selects the last commit recorded by then.
enum PositionArgument: ExpressibleByArgument, Equatable {
  case number(Position)
  case head
  case time(Timestamp)

  init?(argument: String) {
    if argument == "head" {
      self = .head
    } else if let number = UInt64(argument) {
      self = .number(Position(number))
    } else if let time = Timestamp(argument) {
      self = .time(time)
    } else {
      return nil
    }
  }

  /// Resolves the position.
  ///
  /// - Throws: `StoreError` with the code `notFound` for a position beyond the head.
  func resolve(in reader: borrowing StoreReader) throws -> Position {
    switch self {
    case .head: return reader.position
    case .time(let time): return try reader.position(recordedBy: time)
    case .number(let position):
      try reader.requirePosition(position)
      return position
    }
  }
}
