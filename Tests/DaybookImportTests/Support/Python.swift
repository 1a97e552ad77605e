#if Import

import Foundation
import Testing

/// Python, which reads and writes the same forms independently.
enum Python {
  static let path = [
    "/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3", "/root/.pyenv/shims/python3",
  ].first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Runs a script and returns its output.
  static func run(script: String, _ arguments: [String]) throws -> [UInt8] { try run(["-c", script] + arguments) }

  /// Runs a file and returns its output.
  static func run(_ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path))
    process.arguments = ["-B"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return Array(output)
  }
}

#endif
