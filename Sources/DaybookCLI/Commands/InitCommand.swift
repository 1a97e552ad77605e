#if Command

import ArgumentParser
import Daybook

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Create a store; the model is its first commit.",
    discussion: """
      With --journal the store is the first node of a replicated journal: a stream of NATS JetStream, which is created \
      unless it is there and empty.

      daybook init STORE --model MODEL.json --journal nats://one:4222,two,three/kitchen --replicas 3
      """)

  @OptionGroup var arguments: StoreArguments

  @Option(help: ArgumentHelp("The model, a JSON file; - is standard input.", valueName: "file"), completion: .file())
  var model: String

  @OptionGroup(title: "Replicated journal") var journal: JournalOptions

  @OptionGroup var servers: ReplicasOption

  @OptionGroup var output: JSONOption

  func validate() throws {
    if servers.replicas > 1, journal.journal == nil { throw ValidationError("--replicas needs --journal.") }
  }

  func run() throws {
    let model = try InputFile.model(at: model)
    let store = try create(model)
    defer { store.close() }
    try output.print(store.position)
  }

  private func create(_ model: Model) throws -> Store {
    guard let address = try journal.address() else {
      return try Store.create(at: arguments.store, model: model, options: StoreArguments.libraries)
    }
    return try Replication.create(
      at: arguments.store, model: model, serverCount: servers.replicas, options: StoreArguments.options(at: address))
  }
}

#endif
