#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct ProjectionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "projection", abstract: "Show the projections of users, and decide on events that they failed on.",
    discussion: """
      Without a name all are listed; with one, the events that it has not taken in, and why. An event is told by its \
      commit and its number there, such as 12.3; 12.0 is the beginning of commit 12.

      --skip leaves an event out for good; a projection that has stopped at it goes on behind it. --retry takes an event, \
      or all, and has it tried again as soon as a program that knows the projection opens the store: the code of a \
      projection is in that program, not in the store.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The projection; all are listed if none is named.")
  var name: String?

  @Option(help: ArgumentHelp("Leave this event out.", valueName: "event"))
  var skip: EventArgument?

  @Option(help: ArgumentHelp("Have this event tried again, or all.", valueName: "event|all"))
  var retry: RetryArgument?

  @OptionGroup var output: JSONOption

  func validate() throws {
    if skip != nil, retry != nil { throw ValidationError("Give --skip or --retry, not both.") }
    if name == nil, skip != nil || retry != nil { throw ValidationError("Name the projection too.") }
  }

  func run() throws {
    // Opening a store with a projection registers it, so pass only a projection that the command names.
    let known = [ActivityProjection()].filter { $0.name == name }
    try arguments.withStore(knowing: known) { store in
      guard let name else { return try list(store) }
      if let skip { try store.projection(name).skip(skip.address) }
      if let retry { try store.projection(name).retry(retry.address) }
      try show(store, name)
    }
  }

  private func list(_ store: Store) throws {
    let all = try store.projectionFigures()
    if output.json { return try Console.standard.print(.array(all.map(\.json))) }
    guard !all.isEmpty else { return try Console.standard.print("The store has no projections of users.") }
    var table = TextTable([
      "Name", .right("Version"), "Mode", .right("At"), .right("Rows"), .right("Bytes"), "Entities", "State",
    ])
    for figures in all {
      let status = figures.status
      table.add([
        status.name, "\(status.version)", status.mode?.rawValue ?? "", "\(status.checkpoint)",
        ProgressBar.grouped(UInt64(figures.rowCount)), ProgressBar.grouped(UInt64(figures.sizeInBytes)),
        status.entities.joined(separator: ", "), status.text,
      ])
    }
    try table.print(to: .standard)
  }

  private func show(_ store: Store, _ name: String) throws {
    let events = try store.projection(name).quarantine()
    guard let figures = try store.projectionFigures().first(where: { $0.status.name == name }) else { return }
    if output.json {
      return try Console.standard.print(["projection": figures.json, "quarantine": .array(events.map(\.json))])
    }
    try Console.standard.print("\(name) is at \(figures.status.checkpoint), \(figures.status.text)")
    for (entity, count) in figures.counts {
      try Console.standard.print("\(entity): \(count) \(count == 1 ? "row" : "rows")")
    }
    guard !events.isEmpty else { return }
    var table = TextTable(["Event", "State", "Reason"])
    for event in events { table.add(["\(event.address)", event.state.rawValue, event.reason]) }
    try table.print(to: .standard)
  }
}

/// The events to retry: one event, or all.
struct RetryArgument: ExpressibleByArgument {
  /// The event, or `nil` for all.
  let address: EventAddress?

  init?(argument: String) {
    address = EventAddress(argument)
    if address == nil, argument != "all" { return nil }
  }
}

/// An event, such as `12.3`.
struct EventArgument: ExpressibleByArgument {
  let address: EventAddress

  init?(argument: String) {
    guard let address = EventAddress(argument) else { return nil }
    self.address = address
  }
}

#endif
