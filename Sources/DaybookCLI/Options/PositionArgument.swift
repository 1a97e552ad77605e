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

/// The position at which a command reads.
struct PastOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the store as it was: a number, head, or a time, which is that of the last commit not recorded after it.",
      valueName: "position"))
  var at: PositionArgument?

  /// Runs `body` with a reader of the position, or of the head if there is no argument.
  ///
  /// Printing does not wait for the reader of the output while the store's transaction is live.
  func read<Result>(_ store: Store, _ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try Console.standard.withoutWaiting {
      try store.read { reader in
        guard let at else { return try body(reader) }
        return try reader.read(at: try at.resolve(in: reader), body)
      }
    }
  }
}
