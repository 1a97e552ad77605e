import Foundation

/// The command imports a git history into a new store, from the stream that git writes meanwhile.
final class DaybookGitImport: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let repository: String
  private let command: URL
  private var storePath: String?

  init(repository: String, command: String) {
    self.repository = repository
    self.command = URL(filePath: command)
  }

  func prepare(in directory: URL) throws {
    guard FileManager.default.isExecutableFile(atPath: command.path) else {
      throw BenchmarkError.missingCommand(command.path)
    }
  }

  func beginRound(_ round: Int, in directory: URL) {
    storePath = directory.appending(path: "store").path
  }

  func run(round: Int) throws -> Work {
    let process = Process()
    process.executableURL = command
    process.arguments = ["import", "git", prepared(storePath), repository, "--json"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError.commandFailed("daybook import git", status: process.terminationStatus)
    }
    return Work(operations: try JSONDecoder().decode(Summary.self, from: output).commits)
  }

  /// What the command prints at the end.
  private struct Summary: Decodable {
    let commits: Int
  }
}
