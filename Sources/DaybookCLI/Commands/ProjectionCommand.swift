#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct ProjectionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "projection", abstract: "Show the projections of users, and decide on commits that they failed on.",
    discussion: """
      Without a name all are listed; with one, the commits that it has left out, and why.

      --skip leaves a commit out for good; a projection that has stopped at it goes on behind it. --retry takes a commit, \
      or all, and has it tried again as soon as a program that knows the projection opens the store: the code of a \
      projection is in that program, not in the store.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The projection; all are listed if none is named.")
  var name: String?

  @Option(help: ArgumentHelp("Leave this commit out.", valueName: "position"))
  var skip: CommitArgument?

  @Option(help: ArgumentHelp("Have this commit tried again, or all.", valueName: "position|all"))
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
      if let skip { try store.projection(name).skip(skip.position) }
      if let retry { try store.projection(name).retry(retry.position) }
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
    let commits = try store.projection(name).quarantine()
    guard let figures = try store.projectionFigures().first(where: { $0.status.name == name }) else { return }
    if output.json {
      return try Console.standard.print(["projection": figures.json, "quarantine": .array(commits.map(\.json))])
    }
    try Console.standard.print("\(name) is at \(figures.status.checkpoint), \(figures.status.text)")
    for (entity, count) in figures.counts {
      try Console.standard.print("\(entity): \(count) \(count == 1 ? "row" : "rows")")
    }
    guard !commits.isEmpty else { return }
    var table = TextTable([.right("Commit"), "State", "Reason"])
    for commit in commits { table.add(["\(commit.position)", commit.state.rawValue, commit.reason]) }
    try table.print(to: .standard)
  }
}

/// The commits to retry: one, or all.
struct RetryArgument: ExpressibleByArgument {
  /// The commit, or `nil` for all.
  let position: Position?

  init?(argument: String) {
    position = CommitArgument(argument: argument)?.position
    if position == nil, argument != "all" { return nil }
  }
}

/// A commit by its position, such as `12`.
struct CommitArgument: ExpressibleByArgument {
  let position: Position

  init?(argument: String) {
    guard let number = UInt64(argument), number > 0 else { return nil }
    position = Position(number)
  }
}

#endif
