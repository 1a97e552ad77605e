import Daybook
import Foundation
import Synchronization

/// Where a command prints: results to standard output, which is buffered, and all else to standard error.
///
///     try console.print("position \(position)")
///     try console.print(json)
///     try console.flush()      // for acknowledgements; the end of the command flushes by itself
///
/// When the reader of a pipe goes away, printing throws ``BrokenPipe``, which ends the command with status 0.
final class Console: Sendable {
  static let standard = Console()

  private let output: Mutex<OutputBuffer>
  private let errors: Int32
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

  /// Whether people look at the results.
  let isTerminal: Bool
  /// Whether people look at what goes to standard error.
  let isErrorTerminal: Bool

  /// Whether results may have colours: on a terminal, unless the environment has `NO_COLOR`.
  var usesColor: Bool { isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb" }

  /// The columns of the terminal; nil where the results do not go to one, and lines may have any length.
  var width: Int? { size?.columns }

  /// The columns and lines of the terminal; nil where the results do not go to one.
  var size: TerminalSize? { isTerminal ? size(of: output.withLock { $0.descriptor }) : nil }

  /// The columns of the terminal behind standard error.
  var errorWidth: Int { size(of: errors).columns }

  private func size(of descriptor: Int32) -> TerminalSize {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    func known(_ count: UInt16, _ name: String, _ standard: Int) -> Int {
      isKnown && count > 0 ? Int(count) : environment[name].flatMap { Int($0) } ?? standard
    }
    return TerminalSize(columns: known(size.ws_col, "COLUMNS", 80), lines: known(size.ws_row, "LINES", 24))
  }

  /// Prints text and ends the line.
  func print(_ text: String = "") throws {
    try write(text, end: true)
  }

  /// Prints text as it is.
  func write(_ text: String) throws {
    try write(text, end: false)
  }

  private func write(_ text: String, end: Bool) throws {
    try output.withLock { buffer in
      buffer.bytes.append(contentsOf: text.utf8)
      if end { buffer.bytes.append(0x0a) }
      try buffer.flushIfLarge()
    }
  }

  /// Prints bytes as they are.
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

  /// Hands what was printed to whoever reads it.
  func flush() throws {
    try output.withLock { try $0.flush() }
  }

  /// Runs a closure whose printing never waits for long for the reader of the output, and writes the rest afterwards.
  ///
  ///     try console.withoutWaiting { try store.read { reader in try printAll(reader) } }
  ///
  /// A transaction that waits for a reader who has stopped, such as a pager, would keep the store's files growing. What
  /// is not read in time is kept in a temporary file that has no name.
  func withoutWaiting<Result>(_ body: () throws -> Result) throws -> Result {
    output.withLock { $0.beginHolding() }
    let result: Result
    do {
      result = try body()
    } catch {
      // What was printed is written at the end of the command, before its error.
      output.withLock { $0.endHolding() }
      throw error
    }
    output.withLock { $0.endHolding() }
    try flush()
    return result
  }

  /// Prints a line to standard error.
  func printError(_ text: String) {
    writeError(text + "\n")
  }

  /// Prints text to standard error as it is.
  func writeError(_ text: String) {
    var bytes = OutputBuffer(descriptor: errors)
    bytes.bytes = Array(text.utf8)
    // There is nobody left to be told if standard error is closed.
    try? bytes.flush()
  }
}

/// How much a terminal shows.
struct TerminalSize: Equatable {
  var columns: Int
  var lines: Int
}
