import ArgumentParser
import Daybook

struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show a request's result, and every difference that commits make to it.",
    discussion: """
      daybook watch STORE Recipe --section type.name --sort name

      Commits of all processes count, as they are made. It goes on until Ctrl-C, or after --count differences. With \
      --jsonl the state that it starts from is printed first and then a difference a line, as `daybook diff` prints them.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The entity.")
  var entity: String

  @OptionGroup var options: RequestOptions

  @Option(help: ArgumentHelp("The position to start from; the head if it is left out.", valueName: "position"))
  var from: PositionArgument = .head

  @Option(help: ArgumentHelp("End after this many differences.", valueName: "count"))
  var count: Int?

  @Flag(help: "List the ids of each section's rows in the state that it starts from (--jsonl).")
  var rows = false

  @Flag(help: "Show each commit's difference, even if several came at once.")
  var everyCommit = false

  @Flag(help: "Print JSON, an object a line.")
  var jsonl = false

  func validate() throws {
    if let count, count < 0 { throw ValidationError("--count takes a number from 0.") }
  }

  func run() async throws {
    let request = try options.request(for: entity)
    let store = try arguments.open()
    defer { store.close() }
    let start = try store.read { try from.resolve(in: $0) }
    let view = jsonl ? nil : WatchView(.standard, request)
    if let view { try view.show(store, at: start) } else { try printState(of: request, in: store, at: start) }
    try Console.standard.flush()
    guard count != 0 else { return }
    try await Interruption.ending {
      var given = 0
      for try await change in store.changes(of: request, from: start, everyCommit: everyCommit) {
        if let view { try view.show(change, store) } else { try Console.standard.print(change.json) }
        try Console.standard.flush()
        given += 1
        if given == count { return }
      }
    }
  }

  /// Prints the sections of the state that the differences start from.
  private func printState(of request: FetchRequest, in store: Store, at position: Position) throws {
    let ids = try store.read { try $0.ids(of: request, at: position) }
    let sections = ids.sections.map { section in
      var members: [(String, JSONValue)] = [
        ("name", .string(section.name)), ("count", .integer(Int64(section.ids.count))),
      ]
      if rows { members.append(("ids", .array(section.ids.map { .string("\($0)") }))) }
      return JSONValue.object(members)
    }
    try Console.standard.print(["position": position.json, "sections": .array(sections)])
  }
}
