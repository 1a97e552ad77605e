import ArgumentParser
import Daybook

/// A position: a number, `head`, or a time, which stands for the last commit that was not recorded after it.
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

  /// The position that is meant.
  ///
  /// - Throws: `StoreError` with the code `notFound` for one beyond the head.
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
