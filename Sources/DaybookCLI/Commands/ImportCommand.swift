import ArgumentParser

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Take in what another store or a git repository has.", subcommands: subcommands)

  private static let subcommands: [any ParsableCommand.Type] = [
    ImportEventsCommand.self,
    ImportGitCommand.self,
  ]
}
