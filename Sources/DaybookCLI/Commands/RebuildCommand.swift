import ArgumentParser
import Daybook

struct RebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Throw projections away and fold the journal again.",
    discussion: "Readers see the old ones until the new ones are complete, and these hold the same rows.")

  @OptionGroup var arguments: StoreArguments

  @Argument(
    help: ArgumentHelp("Which one; all if none is named.", valueName: "projection"),
    completion: .list(Store.projectionNames))
  var projection: String?

  @OptionGroup var output: JSONOption

  func run() throws {
    var options = StoreOptions()
    // Whoever rebuilds may have been told to by `verify`: what is damaged must not be read through the map.
    options.checksProjectionPages = true
    let bar = ProgressBar()
    let store = try Store(at: arguments.store, options: options)
    defer { store.close() }
    do {
      defer { bar.finish() }
      try store.rebuild(projection.map { [$0] }) { bar.show($0) }
    }
    let position = try store.head()
    if output.json {
      try Console.standard.print(["position": position.json] as JSONValue)
    } else {
      try Console.standard.print("\(position)")
    }
  }
}
