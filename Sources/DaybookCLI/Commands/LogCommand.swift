#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct LogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show what happened, commit by commit.",
    discussion: """
      A position is a number, head, or a time in ISO 8601, which is that of the last commit not recorded after it. Both \
      ends are included.

      With --object only the events that name the object are shown: as their subject, or as the end of a link. Objects \
      that were deleted have a history too.

      --entity, --kind, --object and the values that --where reads under `event` hold for one and the same event; the \
      other conditions hold for the commit. Whole commits are shown; --events-only leaves out their other events.

      daybook log STORE --entity Recipe --kind set --where 'event.servings > 8' --author anna --since 2026-01-01

      --explain tells how the commits would be found, and does not show them.

      With --follow it does not end with the last commit: each further one of any process is shown as it is made, until \
      Ctrl-C, or until --limit commits were shown. --from may then be one beyond the head: the next commit. --follow goes \
      forward without end, so it excludes --to and --reverse, and --json, which is one value.
      """)

  @OptionGroup var arguments: StoreArguments

  @Option(help: ArgumentHelp("Show the history of one object.", valueName: "id"))
  var object: ObjectIDArgument?

  @OptionGroup(title: "Conditions") var conditions: CommitFilterOptions

  @Flag(help: "Leave out the events that do not meet the conditions.")
  var eventsOnly = false

  @Flag(help: "Tell how the commits would be found: through which index, and what is tested.")
  var explain = false

  @Option(help: ArgumentHelp("The first commit to show.", valueName: "position"))
  var from: PositionText?

  @Option(help: ArgumentHelp("The last commit to show.", valueName: "position"))
  var to: PositionText?

  @Flag(help: "Show the last commit first.")
  var reverse = false

  @Option(help: ArgumentHelp("Show no more commits than this.", valueName: "count"))
  var limit: Int?

  @Flag(help: "Go on with every new commit.")
  var follow = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0.") }
    if explain, follow { throw ValidationError("--explain shows no commits: omit --follow.") }
    guard follow else { return }
    if to != nil { throw ValidationError("--follow has no end: omit --to.") }
    if reverse { throw ValidationError("--follow shows the commits as they are made: leave --reverse out.") }
    if output.json { throw ValidationError("--follow has no end, and --json is one value: take --jsonl.") }
  }

  func run() async throws {
    let store = try follow ? arguments.openFollowing() : arguments.open()
    defer { store.close() }
    guard follow else { return try show(store) }
    try await Interruption.ending { try await show(following: store) }
  }

  private func show(_ store: Store) throws {
    let (first, last, id) = try store.read { reader in
      (
        try from?.resolve(in: reader) ?? .empty, try to?.resolve(in: reader),
        try object.map { try reader.resolve($0.text, includesDeleted: true) }
      )
    }
    let filter = try conditions.filter(object: id)
    if explain { return try explain(filter, store) }
    let log = LogSelection(store: store, filter: filter, isNarrow: eventsOnly, isReversed: reverse, limit: limit)
    var printer = LogPrinter(.standard, store)
    let commits = try log.commits(from: first, through: last)
    if output.json { return try printer.printList(commits) }
    _ = try output.jsonl ? printer.printLines(commits) : printer.printText(commits)
  }

  private func explain(_ filter: CommitFilter, _ store: Store) throws {
    let plan = try store.explain(filter)
    if output.json || output.jsonl {
      try Console.standard.print(["position": try store.position.json, "plan": .string(plan)])
    } else {
      try Console.standard.print(plan)
    }
  }

  /// Prints the existing commits, and then new ones as they are written.
  private func show(following store: Store) async throws {
    let (start, head, id) = try store.read { reader in
      (
        try firstToFollow(in: reader), reader.position,
        try object.map { try reader.resolve($0.text, includesDeleted: true) }
      )
    }
    var log = LogSelection(
      store: store, filter: try conditions.filter(object: id), isNarrow: eventsOnly, isReversed: false, limit: limit)
    var printer = LogPrinter(.standard, store)
    var next = start
    /// Prints the commits up to a position.
    func print(through last: Position) throws {
      let commits = try log.commits(from: next, through: last)
      let count = try output.jsonl ? printer.printLines(commits) : printer.printText(commits)
      try Console.standard.flush()
      log.limit = log.limit.map { $0 - count }
      next = last.next
    }
    try print(through: head)
    if log.limit == 0 { return }
    // The feed reports that there is something new; print all commits up to the head at once.
    for try await commit in store.commits(from: next).raw where commit.position >= next {
      try print(through: store.position)
      if log.limit == 0 { return }
    }
  }

  /// Returns the first position to follow, which may be past the head.
  private func firstToFollow(in reader: borrowing StoreReader) throws -> Position {
    if case .number(let number) = from, number == reader.position.next { return number }
    return max(try from?.resolve(in: reader) ?? .empty, 1)
  }
}

#endif
