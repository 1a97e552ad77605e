#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct RebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Throw projections away and fold the journal again.",
    discussion: """
      Readers see the old ones until the new ones are complete, and these hold the same rows. Without a name the built-in \
      projections are built anew. `snapshots` stands for the copies of earlier positions: those that the policy asks for \
      and that are missing are made.

      A rebuild of “activity” that is interrupted goes on where it was the next time. Other projections of users are \
      rebuilt by the programs that have their code.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(
    help: ArgumentHelp("Which one; all built-in ones if none is named.", valueName: "projection"),
    completion: .list(StoreTables.names + [ActivityProjection().name, RebuildCommand.snapshots]))
  var projection: String?

  @OptionGroup var output: JSONOption

  private static let snapshots = "snapshots"

  func run() throws {
    var options = StoreArguments.options
    // A rebuild may follow a failed `verify`: damaged pages must not be read through the map.
    options.checksProjectionPages = true
    // Opening a store with a projection registers it, so pass only a projection that the command names.
    let own = [ActivityProjection()].first { $0.name == projection }
    options.projections = own.map { [$0] } ?? []
    options.followsProjections = false
    let bar = ProgressBar()
    let store = try Store(at: arguments.store, options: options)
    defer { store.close() }
    do {
      defer { bar.finish() }
      if projection == RebuildCommand.snapshots {
        try store.makeSnapshots { bar.show($0) }
      } else if let own {
        try store.projection(own.name).rebuild { bar.show($0) }
      } else {
        try store.rebuild(projection.map { try StoreTables(named: $0) } ?? .all) { bar.show($0) }
      }
    }
    let position = try store.position
    if output.json {
      try Console.standard.print(["position": position.json] as JSONValue)
    } else {
      try Console.standard.print("\(position)")
    }
  }
}

#endif
