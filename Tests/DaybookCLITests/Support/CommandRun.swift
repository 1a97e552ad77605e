#if Command

import DaybookTestSupport
import Foundation
import Testing

/// The output and exit status of a run of the built command.
struct CommandRun {
  let status: Int32
  let output: String
  let errors: String

  /// The lines of standard output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  init(status: Int32, output: String, errors: String) {
    self.status = status
    self.output = output
    self.errors = errors
  }

  /// Runs the command to its end.
  ///
  /// Input and output go through files, so that no pipe can fill up.
  ///
  /// - Parameter workingDirectory: Where the command runs; the directory of the tests if it is `nil`.
  init(
    _ arguments: [String], input: String = "", environment: [String: String] = [:], in workingDirectory: String? = nil
  ) throws {
    let directory = try TemporaryDirectory()
    let inputPath = directory.path("input")
    try input.write(toFile: inputPath, atomically: false, encoding: .utf8)
    for name in ["output", "errors"] {
      _ = FileManager.default.createFile(atPath: directory.path(name), contents: nil)
    }
    let process = Process()
    process.executableURL = CommandRun.executable
    process.arguments = arguments
    if let workingDirectory { process.currentDirectoryURL = URL(fileURLWithPath: workingDirectory) }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle(forReadingAtPath: inputPath)
    process.standardOutput = FileHandle(forWritingAtPath: directory.path("output"))
    process.standardError = FileHandle(forWritingAtPath: directory.path("errors"))
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    output = try String(contentsOfFile: directory.path("output"), encoding: .utf8)
    errors = try String(contentsOfFile: directory.path("errors"), encoding: .utf8)
  }

  /// The command built with the tests.
  static let executable: URL = {
    do {
      return try BuiltProduct.url("daybook")
    } catch {
      fatalError("\(error)")
    }
  }()
}

/// Runs a shell script in which `$DAYBOOK` is the command.
func shell(_ script: String) throws -> (status: Int32, output: String, errors: String) {
  let directory = try TemporaryDirectory()
  for name in ["output", "errors"] {
    _ = FileManager.default.createFile(atPath: directory.path(name), contents: nil)
  }
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/bash")
  process.arguments = ["-c", script]
  process.environment = ProcessInfo.processInfo.environment.merging(["DAYBOOK": CommandRun.executable.path]) { $1 }
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = FileHandle(forWritingAtPath: directory.path("output"))
  process.standardError = FileHandle(forWritingAtPath: directory.path("errors"))
  try process.run()
  process.waitUntilExit()
  return (
    process.terminationStatus, try String(contentsOfFile: directory.path("output"), encoding: .utf8),
    try String(contentsOfFile: directory.path("errors"), encoding: .utf8)
  )
}

#endif
