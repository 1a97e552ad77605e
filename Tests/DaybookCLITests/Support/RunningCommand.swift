#if Command

import Foundation
import Testing

/// A run of the built command that continues while a test does other work.
final class RunningCommand {
  struct Silence: Error, CustomStringConvertible {
    let description: String
  }

  private let process = Process()
  private let errors = Pipe()
  /// The descriptor from which the test reads; -1 after it was closed.
  private var output: Int32
  private var bytes: [UInt8] = []

  /// The time in seconds after which a test fails.
  static let patience = 30.0

  /// - Parameter executable: The program, or `nil` for the command itself.
  init(_ arguments: [String], executable: URL? = nil, environment: [String: String] = [:]) throws {
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Silence(description: "no pipe") }
    output = ends[0]
    try start(executable ?? CommandRun.executable, arguments, writer: ends[1])
  }

  /// Starts the command on a terminal.
  init(_ arguments: [String], columns: Int, lines: Int, environment: [String: String] = [:]) throws {
    let terminal: Int32
    (output, terminal) = try RunningCommand.openTerminal()
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    resize(columns: columns, lines: lines)
    try start(CommandRun.executable, arguments, writer: terminal)
  }

  /// Opens a new terminal, and returns the test's end and the command's end.
  private static func openTerminal() throws -> (Int32, Int32) {
    let output = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard output >= 0 else { throw Silence(description: "no terminal") }
    #if os(Linux)
    // The work of `unlockpt` and `ptsname`, which are not imported here: TIOCSPTLCK and TIOCGPTN.
    var (lock, number) = (Int32(0), UInt32(0))
    guard ioctl(output, 0x4004_5431, &lock) == 0, ioctl(output, 0x8004_5430, &number) == 0 else {
      throw Silence(description: "no terminal")
    }
    let path = "/dev/pts/\(number)"
    #else
    guard grantpt(output) == 0, unlockpt(output) == 0, let name = ptsname(output) else {
      throw Silence(description: "no terminal")
    }
    let path = String(cString: name)
    #endif
    return (output, open(path, O_RDWR | O_NOCTTY))
  }

  private func start(_ executable: URL, _ arguments: [String], writer: Int32) throws {
    // The processes of other tests must not inherit this end.
    _ = fcntl(output, F_SETFD, FD_CLOEXEC)
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(fileDescriptor: writer, closeOnDealloc: false)
    process.standardError = errors
    try process.run()
    close(writer)
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    closeOutput()
  }

  /// Resizes the terminal, without a signal to the command.
  func resize(columns: Int, lines: Int) {
    var size = winsize(ws_row: UInt16(lines), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(output, UInt(TIOCSWINSZ), &size)
  }

  /// Returns the next line of standard output.
  func line() throws -> String {
    try text(through: "\n")
  }

  /// Returns all output up to and including a text.
  func text(through end: String) throws -> String {
    let deadline = Date(timeIntervalSinceNow: RunningCommand.patience)
    let mark = Array(end.utf8)
    var searched = 0
    while true {
      let start = max(0, searched - mark.count + 1)
      if let found = bytes[start...].firstRange(of: mark) {
        defer { bytes.removeFirst(found.upperBound) }
        return String(decoding: bytes[..<found.upperBound], as: UTF8.self)
      }
      searched = bytes.count
      guard try fill(until: deadline) else {
        let text = String(decoding: bytes, as: UTF8.self)
        // Its output may end a moment before the process does.
        let state = Date() < deadline ? "\(try self.end())" : "still running"
        throw Silence(description: "No “\(end)” behind “\(text)” of \(process.arguments ?? []), \(state).")
      }
    }
  }

  /// Returns the next line, as JSON.
  func json() throws -> [String: Any] {
    let line = try line()
    return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
  }

  /// Waits for more output; returns `false` at its end, and at the deadline.
  private func fill(until deadline: Date) throws -> Bool {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let time = max(0, deadline.timeIntervalSinceNow)
    let ready = poll(&descriptor, 1, Int32(time * 1_000))
    if ready < 0, errno == EINTR { return true }
    guard ready > 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output, &chunk, chunk.count)
    guard count > 0 else { return false }
    bytes.append(contentsOf: chunk[..<count])
    return true
  }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Closes the output, like the reader of a pipe.
  func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Waits for the end, and kills the command at the deadline.
  func end() throws -> CommandRun {
    let deadline = Date(timeIntervalSinceNow: RunningCommand.patience)
    while output >= 0, try fill(until: deadline) {}
    while process.isRunning, Date() < deadline { Thread.sleep(forTimeInterval: 0.005) }
    if process.isRunning {
      Issue.record("The command did not end.")
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    return CommandRun(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: String(decoding: bytes, as: UTF8.self), errors: String(decoding: text, as: UTF8.self))
  }
}

extension Kitchen {
  /// Starts a command on the store.
  func start(_ command: String, _ arguments: String...) throws -> RunningCommand {
    try RunningCommand([command, store] + arguments)
  }
}

#endif
