#if Command

import ArgumentParser
import Daybook

struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Make a store that is another node of a replicated journal.",
    discussion: """
      daybook join STORE --journal nats://one:4222,two,three/kitchen
      daybook join STORE --journal nats://one:4222,two,three/kitchen --from-backup kitchen.backup

      It reads the whole stream, or a backup of another node and the rest, and prints the position that it has reached. \
      `daybook follow` then takes the commits of other nodes as they are made; so do serve, watch and log --follow.
      """)

  @OptionGroup var arguments: StoreArguments

  @OptionGroup(title: "Replicated journal") var journal: JournalOptions

  @Option(help: ArgumentHelp("A backup of another node to start from.", valueName: "file"), completion: .file())
  var fromBackup: String?

  @OptionGroup var output: JSONOption

  func validate() throws {
    if journal.journal == nil { throw ValidationError("Give the address of the stream with --journal.") }
  }

  func run() throws {
    guard let address = try journal.address() else { return }
    let store = try Replication.join(
      at: arguments.store, fromBackup: fromBackup, options: StoreArguments.options(at: address))
    defer { store.close() }
    try output.print(store.position)
  }
}

#endif
