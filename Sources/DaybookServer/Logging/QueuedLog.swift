#if Server

import DaybookModel
import Foundation
public import Logging

/// Writes log lines to a file descriptor on a thread of its own, so that no thread of a server waits for the reader.
///
///     let log = QueuedLog()
///     let logger = Logger(label: "daybook.serve") { log.handler(label: $0) }
///     defer { log.finish() }
///
/// At most ``maximumLineCount`` lines wait. Where a pipe is full because it is not read, further lines are dropped, and
/// a line states how many as soon as lines are taken again.
public final class QueuedLog: Sendable {
  /// The most lines that wait to be written.
  public static let maximumLineCount = 10_000

  private struct State {
    var lines: [String] = []
    var droppedCount = 0
    var isWriting = false
    var isFinished = false
  }

  private let state = Watched(State())
  private let limit: Int

  /// - Parameters:
  ///   - descriptor: The descriptor to write to; standard error by default.
  ///   - limit: The most lines that wait.
  public init(descriptor: Int32 = 2, limit: Int = QueuedLog.maximumLineCount) {
    self.limit = limit
    let thread = Thread { [state] in QueuedLog.write(state, to: descriptor) }
    thread.name = "daybook log"
    thread.start()
  }

  /// Returns a handler for a logger.
  public func handler(label: String) -> any LogHandler { QueuedLogHandler(label: label, log: self) }

  /// Adds a line, without its end.
  func add(_ line: String) {
    state.change { state in
      guard !state.isFinished, state.lines.count < limit else {
        state.droppedCount += 1
        return
      }
      state.lines.append(line)
    }
  }

  /// The lines that were dropped and are not reported yet.
  var droppedCount: Int { state.change { $0.droppedCount } }

  /// Waits until all lines are written, at most for a time, and takes no more.
  ///
  /// - Parameter limit: The longest wait, in seconds.
  public func finish(within limit: Double = 1) {
    state.change { $0.isFinished = true }
    state.wait(until: Date(timeIntervalSinceNow: limit)) { $0.lines.isEmpty && !$0.isWriting }
  }

  private static func write(_ state: Watched<State>, to descriptor: Int32) {
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    while true {
      state.wait { !$0.lines.isEmpty || $0.isFinished }
      let (lines, dropped, isFinished) = state.change { state -> ([String], Int, Bool) in
        defer { (state.lines, state.droppedCount, state.isWriting) = ([], 0, true) }
        return (state.lines, state.droppedCount, state.isFinished)
      }
      var text = lines.map { "\($0)\n" }.joined()
      if dropped > 0 { text += "\(dropped) lines of the log were dropped, because they were not read.\n" }
      // A log that cannot be written is lost; the server continues.
      try? file.write(contentsOf: Data(text.utf8))
      state.change { $0.isWriting = false }
      if isFinished, lines.isEmpty { return }
    }
  }
}

/// A value that threads wait for.
private final class Watched<Contents>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Contents

  init(_ value: Contents) {
    self.value = value
  }

  func change<Result>(_ body: (inout Contents) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    let result = body(&value)
    condition.broadcast()
    return result
  }

  /// Waits until a condition holds, however long.
  func wait(_ holds: (Contents) -> Bool) {
    condition.lock()
    defer { condition.unlock() }
    while !holds(value) { condition.wait() }
  }

  func wait(until end: Date, _ holds: (Contents) -> Bool) {
    condition.lock()
    defer { condition.unlock() }
    while !holds(value), condition.wait(until: end) {}
  }
}

/// Formats log lines: time, level, label, metadata, source and message.
private struct QueuedLogHandler: LogHandler {
  let label: String
  let log: QueuedLog
  var logLevel = Logger.Level.info
  var metadata = Logger.Metadata()

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }
    if let error = event.error { metadata["error"] = "\(error)" }
    let pairs = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    let time = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    let text = "\(time) \(event.level) \(label):\(pairs) [\(event.source)] \(event.message)"
    // A line is one line, and safe to show, whatever a client has sent.
    log.add(PrintableText.line(text.replacing("\n", with: "\\n").replacing("\r", with: "\\r")))
  }
}

#endif
