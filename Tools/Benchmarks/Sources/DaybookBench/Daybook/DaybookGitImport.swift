import Foundation

/// The command imports a git history into a new store, from the stream that git writes meanwhile.
final class DaybookGitImport: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let repository: String
  private var command: URL?
  private var storePath: String?

  init(repository: String) {
    self.repository = repository
  }

  func prepare(in directory: URL) throws {
    // The package manager puts the executables of a build side by side.
    let command = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "daybook")
    guard FileManager.default.isExecutableFile(atPath: command.path) else {
      throw BenchmarkError.missingCommand(command.path)
    }
    self.command = command
  }

  func beginRound(_ round: Int, in directory: URL) {
    storePath = directory.appending(path: "store").path
  }

  func run(round: Int) throws -> Work {
    let process = Process()
    process.executableURL = prepared(command)
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

  /// What the command says at the end.
  private struct Summary: Decodable {
    let commits: Int
  }
}
