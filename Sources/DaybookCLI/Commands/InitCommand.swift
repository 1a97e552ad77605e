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

  @Option(help: ArgumentHelp("How many servers keep each message of the journal.", valueName: "count"))
  var replicas = 1

  @OptionGroup var output: JSONOption

  func validate() throws {
    if ![1, 3, 5].contains(replicas) { throw ValidationError("--replicas takes 1, 3 or 5.") }
    if replicas > 1, journal.journal == nil { throw ValidationError("--replicas needs --journal.") }
  }

  func run() throws {
    let model = try Model(parsing: InputFile.bytes(at: model))
    let store = try create(model)
    defer { store.close() }
    let position = try store.head()
    try output.json
      ? Console.standard.print(["position": position.json]) : Console.standard.print(position.description)
  }

  private func create(_ model: Model) throws -> Store {
    guard let address = try journal.address() else { return try Store.create(at: arguments.store, model: model) }
    return try Store.create(
      at: arguments.store, model: model, replicatedOn: address, replicaCount: replicas, options: StoreArguments.options)
  }
}
