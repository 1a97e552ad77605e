import ArgumentParser
import Daybook

struct ReplicateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replicate", abstract: "Make an existing store the first node of a replicated journal.",
    discussion: """
      daybook replicate STORE --journal nats://one:4222,two,three/kitchen --replicas 3

      It publishes the whole journal to a stream, which is created unless it is there and empty. The commits keep their \
      positions and hashes; other nodes can join then. No program may have the store open.
      """)

  @OptionGroup var arguments: StoreArguments

  @OptionGroup(title: "Replicated journal") var journal: JournalOptions

  @Option(help: ArgumentHelp("How many servers keep each message of the journal.", valueName: "count"))
  var replicas = 1

  @OptionGroup var output: JSONOption

  func validate() throws {
    if ![1, 3, 5].contains(replicas) { throw ValidationError("--replicas takes 1, 3 or 5.") }
    if journal.journal == nil { throw ValidationError("Give the address of the stream with --journal.") }
  }

  func run() throws {
    guard let address = try journal.address() else { return }
    let store = try Store.replicate(
      at: arguments.store, on: address, replicaCount: replicas, options: StoreArguments.options)
    defer { store.close() }
    let position = try store.head()
    try output.json
      ? Console.standard.print(["position": position.json]) : Console.standard.print(position.description)
  }
}
