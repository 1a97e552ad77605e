#if Command

import Daybook
import Foundation
import Synchronization

/// The output of a command: results to buffered standard output, all else to standard error.
///
///     try console.print("position \(position)")
///     try console.print(json)
///     try console.flush()      // for acknowledgements; the end of the command flushes by itself
///
/// When the reader of a pipe closes it, printing throws ``BrokenPipe``, which ends the command with status 0.
final class Console: Sendable {
  static let standard = Console()

  private let output: Mutex<OutputBuffer>
  private let errors: Int32
  private let work = Mutex<String?>(nil)
  private let environment: [String: String]

  init(
    output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.output = Mutex(OutputBuffer(descriptor: output))
    self.errors = errors
    self.environment = environment
    isTerminal = isatty(output) == 1
    isErrorTerminal = isatty(errors) == 1
  }

  /// What the command has written, as a sentence, or `nil` if nothing.
  ///
  /// If the output fails afterwards, the error has the sentence.
  var writtenWork: String? { work.withLock { $0 } }

  /// Records a commit that the command has written, before its position is printed.
  func noteWritten(_ position: Position) { noteWritten("The write itself succeeded: it is at position \(position).") }

  /// Records what the command has written.
  func noteWritten(_ sentence: String) { work.withLock { $0 = sentence } }

  /// Whether standard output is a terminal.
  let isTerminal: Bool
  /// Whether standard error is a terminal.
  let isErrorTerminal: Bool

  /// Whether results may have colours: on a terminal without `NO_COLOR` in the environment.
  var usesColor: Bool { isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb" }

  /// The columns of the terminal, or `nil` if the results do not go to a terminal.
  ///
  /// Then lines may have any length.
  var width: Int? { size?.columns }

  /// The columns and lines of the terminal, or `nil` if the results do not go to a terminal.
  var size: TerminalSize? { isTerminal ? size(of: output.withLock { $0.descriptor }) : nil }

  /// The columns of standard error's terminal.
  var errorWidth: Int { size(of: errors).columns }

  private func size(of descriptor: Int32) -> TerminalSize {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    func known(_ count: UInt16, _ name: String, _ standard: Int) -> Int {
      isKnown && count > 0 ? Int(count) : environment[name].flatMap { Int($0) } ?? standard
    }
    return TerminalSize(columns: known(size.ws_col, "COLUMNS", 80), lines: known(size.ws_row, "LINES", 24))
  }

  /// Prints text for people, as ``PrintableText`` makes it, and ends the line.
  func print(_ text: String = "") throws {
    try write(PrintableText.lines(text, keepsStyles: usesColor) + "\n")
  }

  /// Prints text unchanged, without ending the line: JSON, or the sequences that control a terminal.
  func write(_ text: String) throws {
    try output.withLock { buffer in
      buffer.bytes.append(contentsOf: text.utf8)
      try buffer.flushIfLarge()
    }
  }

  /// Prints bytes unchanged.
  func write(_ bytes: [UInt8]) throws {
    try output.withLock { buffer in
      buffer.bytes.append(contentsOf: bytes)
      try buffer.flushIfLarge()
    }
  }

  /// Prints a JSON value on one line.
  func print(_ json: JSONValue) throws {
    try output.withLock { buffer in
      json.write(to: &buffer.bytes)
      buffer.bytes.append(0x0a)
      try buffer.flushIfLarge()
    }
  }

  /// Writes the buffered output to standard output.
  func flush() throws {
    try output.withLock { try $0.flush() }
  }

  /// Prints what a closure reads of a store, without waiting long for the output's reader.
  ///
  ///     try console.printing(from: store) { reader in try printAll(reader) }
  ///
  /// The rest of the output is written afterwards. A transaction that waits for a stopped reader, such as a pager,
  /// would make the store's files grow. Output that is not read in time is stored in a temporary file without a name.
  ///
  /// A store that meets damaged projections builds them again and calls the closure once more. What the closure printed
  /// before is discarded.
  ///
  /// - Throws: What `body` throws, and the errors of a read; `StoreError` with the code `damaged` if the closure would be
  ///   called once more after a part of its output was written.
  func printing<Result>(from store: Store, _ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try output.withLock { try $0.beginHolding() }
    let result: Result
    do {
      result = try store.read { reader in
        guard output.withLock({ $0.discardHeld() }) else {
          throw StoreError(
            .damaged, "The projections were damaged, and were built again after a part of the output was written.",
            advice: "Run the command again.")
        }
        return try body(reader)
      }
    } catch {
      // The output is written at the end of the command, before its error.
      output.withLock { $0.endHolding() }
      throw error
    }
    output.withLock { $0.endHolding() }
    try flush()
    return result
  }

  /// Prints text for people to standard error, as ``PrintableText`` makes it, and ends the line.
  func printError(_ text: String) {
    writeError(PrintableText.lines(text) + "\n")
  }

  /// Prints text to standard error unchanged, without ending the line.
  func writeError(_ text: String) {
    var bytes = OutputBuffer(descriptor: errors)
    bytes.bytes = Array(text.utf8)
    // If standard error is closed, the failure cannot be reported.
    try? bytes.flush()
  }
}

/// The size of a terminal.
struct TerminalSize: Equatable {
  var columns: Int
  var lines: Int
}

#endif
