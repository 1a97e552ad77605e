import ArgumentParser

/// The `daybook` command.
@main
struct DaybookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook",
    abstract: "An append-only, event-sourced object store: everything that happened, and what follows from it.",
    version: "0.1.0")
}
