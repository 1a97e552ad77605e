#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show a request's result, and every difference that commits make to it.",
    discussion: """
      daybook watch STORE Recipe --section type.name --sort name
      daybook watch STORE --tree Folder.children --root ID --depth 2

      Commits of all processes count, as they are made. On a terminal the table is drawn anew with each difference: \
      rows that were inserted (+), moved (>) or updated (~) are marked, and below it stands for each changed row which \
      commits changed it, by whom and how. Elsewhere each difference is printed as `daybook diff` prints it.

      It goes on until Ctrl-C, or after --count differences. With --jsonl the state that it starts from is printed first \
      and then a difference a line. Where each difference begins, the one before has ended: with its "to" as --from one \
      goes on later without a gap.

      With --tree it shows the differences of a tree, by paths of indexes from the top down: a subtree that moved is one \
      move, and an inserted node has its subtree, to the depth that is followed.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The entity; with --tree it may be left out.")
  var entity: String?

  @OptionGroup var options: RequestOptions

  @OptionGroup var tree: TreeOptions

  @Option(help: ArgumentHelp("The position to start from; the head if it is left out.", valueName: "position"))
  var from: PositionText = .head

  @Option(help: ArgumentHelp("End after this many differences.", valueName: "count"))
  var count: Int?

  @Flag(help: "List the ids of each section's rows in the state that it starts from (--jsonl).")
  var rows = false

  @Flag(help: "Show the difference of each commit, also if several came at once.")
  var everyCommit = false

  @Flag(help: "Print JSON, an object a line.")
  var jsonl = false

  func validate() throws {
    if let count, count < 0 { throw ValidationError("--count takes a number from 0.") }
    try tree.check(entity, options)
    if tree.tree != nil, everyCommit { throw ValidationError("--every-commit is for requests, not for trees.") }
  }

  func run() async throws {
    if let relationship = tree.relationship(of: entity) { return try await watchTree(relationship) }
    let request = try options.request(for: entity ?? "")
    let store = try arguments.openFollowing()
    defer { store.close() }
    let output = output(for: request, in: store)
    let resize: @Sendable () -> Void = { [screen = output as? WatchScreen] in screen?.redraw() }
    try await Interruption.ending(onResize: resize) { try await watch(request, in: store, output) }
  }

  private func watch(_ request: FetchRequest, in store: Store, _ output: any WatchOutput) async throws {
    let start = try store.read { head in
      try head.reading([request.entity]) { reader in
        // A named position is the one at the time when it was recorded.
        let now = request.mayReadTime && from == .head ? try reader.now() : nil
        return try reader.cursor(at: from.resolve(in: reader), time: now)
      }
    }
    defer { output.end() }
    try output.begin(at: start)
    var rest = count ?? .max
    guard rest > 0 else { return }
    for try await change in store.changes(
      of: request.untyped, from: start, granularity: everyCommit ? .everyCommit : .coalesced)
    {
      try output.show(change)
      rest -= 1
      if rest == 0 { return }
    }
  }

  private func watchTree(_ relationship: String) async throws {
    let store = try arguments.openFollowing()
    defer { store.close() }
    let printer = TreeChangePrinter(.standard, store, json: jsonl)
    try await Interruption.ending { try await watchTree(relationship, in: store, printer) }
  }

  private func watchTree(_ relationship: String, in store: Store, _ printer: TreeChangePrinter) async throws {
    let (start, root, state) = try store.read { reader in
      let (start, root) = (try from.resolve(in: reader), try tree.root?.resolve(in: reader))
      return (start, root, try reader.treeIDs(ofTree: relationship, root: root, depth: tree.depth, at: start))
    }
    try printer.printState(state, at: start, listsNodes: rows)
    var rest = count ?? .max
    guard rest > 0 else { return }
    for try await change in store.changes(ofTree: relationship, root: root, depth: tree.depth, from: start) {
      try printer.print(change)
      rest -= 1
      if rest == 0 { return }
    }
  }

  private func output(for request: FetchRequest, in store: Store) -> any WatchOutput {
    let console = Console.standard
    if jsonl { return WatchLines(console: console, store: store, request: request, listsRows: rows) }
    return console.isTerminal
      ? WatchScreen(console, store, request) : WatchText(console: console, store: store, request: request)
  }
}

#endif
