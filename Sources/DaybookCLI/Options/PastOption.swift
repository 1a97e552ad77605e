import ArgumentParser
import Daybook
import DaybookTools

/// The position at which a command reads.
struct PastOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the store as it was: a number, head, or a time, which is that of the last commit not recorded after it.",
      valueName: "position"))
  var at: PositionText?

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
