import Foundation

/// Git writes the stream that the import reads, and the output is discarded.
final class GitExport: Contestant {
  let name = PeerName.git
  let role = Role.engine
  private let repository: String
  private var commitCount = 0

  init(repository: String) {
    self.repository = repository
  }

  func prepare(in directory: URL) throws {
    let output = try git(["rev-list", "--count", "--first-parent", "HEAD"], readingOutput: true)
    commitCount = Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  func run(round: Int) throws -> Work {
    _ = try git(Self.exportArguments, readingOutput: false)
    return Work(operations: commitCount)
  }

  /// What the import runs when it is given a repository.
  static let exportArguments = [
    "fast-export", "--no-data", "--show-original-ids", "--first-parent", "-M", "-C", "--reencode=yes",
    "--signed-tags=strip", "--use-done-feature", "--ignore-submodules=none", "HEAD",
  ]

  private func git(_ arguments: [String], readingOutput: Bool) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git", "-C", repository] + arguments
    let pipe = Pipe()
    process.standardOutput = readingOutput ? pipe : FileHandle.nullDevice
    try process.run()
    let output = readingOutput ? try pipe.fileHandleForReading.readToEnd() : nil
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError.commandFailed("git \(arguments[0])", status: process.terminationStatus)
    }
    return String(decoding: output ?? Data(), as: UTF8.self)
  }
}
