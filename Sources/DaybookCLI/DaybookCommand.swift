#if Command

import ArgumentParser
import Daybook
import DaybookTools

/// The `daybook` command.
@main
struct DaybookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook",
    abstract: "An append-only, event-sourced object store: everything that happened, and what follows from it.",
    discussion: """
      Completions for your shell: daybook --generate-completion-script bash (or zsh, or fish).

      Exit status: 0 done; 1 the store says no; 64 wrong usage; 74 input or output failed.
      """,
    version: DaybookVersion.current,
    groupedSubcommands: [
      CommandGroup(name: "Store", subcommands: stores),
      CommandGroup(name: "Object", subcommands: objects),
      CommandGroup(name: "History", subcommands: history),
      CommandGroup(name: "Exchange", subcommands: exchange),
      CommandGroup(name: "Care", subcommands: care),
    ])

  private static let stores: [any ParsableCommand.Type] = [
    InitCommand.self,
    JoinCommand.self,
    ReplicateCommand.self,
    FollowCommand.self,
    ReplicationCommand.self,
    ModelCommand.self,
  ]

  private static let objects: [any ParsableCommand.Type] = [
    InsertCommand.self,
    RenameCommand.self,
    SetCommand.self,
    RelateCommand.self,
    UnrelateCommand.self,
    DeleteCommand.self,
    ApplyCommand.self,
    GetCommand.self,
    ValueCommand.self,
    FetchCommand.self,
    CountCommand.self,
    TreeCommand.self,
  ]

  private static let history: [any ParsableCommand.Type] = [
    LogCommand.self,
    BlameCommand.self,
    TraceCommand.self,
    BisectCommand.self,
    DiffCommand.self,
    WatchCommand.self,
    ReplayCommand.self,
    RevertCommand.self,
    UndoCommand.self,
    RedoCommand.self,
    ActivityCommand.self,
  ]

  private static let exchange: [any ParsableCommand.Type] = [
    ExportCommand.self,
    ImportCommand.self,
    ServeCommand.self,
  ]

  private static let care: [any ParsableCommand.Type] = [
    StatsCommand.self,
    VerifyCommand.self,
    RebuildCommand.self,
    ProjectionCommand.self,
    BackupCommand.self,
    RestoreCommand.self,
    CompactCommand.self,
  ]

  static func main() async {
    await CommandRunner.run(Array(CommandLine.arguments.dropFirst()))
  }
}

#else

import Foundation

/// Reports how to build the command: without the trait, the package builds a program that does nothing else.
@main
enum DaybookCommand {
  static func main() {
    let text =
      "daybook: this was built without the command; build it with its trait: swift build --traits Command,Git\n"
    FileHandle.standardError.write(Data(text.utf8))
    exit(64)
  }
}

#endif
