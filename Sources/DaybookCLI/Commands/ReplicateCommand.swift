#if Command

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

  @OptionGroup var servers: ReplicasOption

  @OptionGroup var output: JSONOption

  func validate() throws {
    if journal.journal == nil { throw ValidationError("Give the address of the stream with --journal.") }
  }

  func run() throws {
    guard let address = try journal.address() else { return }
    let store = try Replication.begin(
      at: arguments.store, serverCount: servers.replicas, options: StoreArguments.options(at: address))
    defer { store.close() }
    try output.print(store.position)
  }
}

#endif
