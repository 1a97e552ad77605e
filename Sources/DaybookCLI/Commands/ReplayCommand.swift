#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Show what happened again, commit by commit.",
    discussion: """
      Without an entity it prints the commits as `daybook log` does. With one, and the options of a request, it prints \
      the state before the first commit and then the differences that the commits made to the request's result; commits \
      that made none are left out.

      With --speed the commits come at the pace of their own times: --speed 60 shows an hour in a minute.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The entity; the commits themselves if it is left out.")
  var entity: String?

  @OptionGroup var options: RequestOptions

  @Option(help: ArgumentHelp("The first commit.", valueName: "position"))
  var from: PositionText?

  @Option(help: ArgumentHelp("The last commit; the head if it is left out.", valueName: "position"))
  var to: PositionText = .head

  @Option(
    help: ArgumentHelp(
      "How many times as fast as it happened; as fast as possible if it is left out.", valueName: "factor"))
  var speed: Double?

  @Flag(help: "List the ids of each section's rows in the state that it starts from (--jsonl).")
  var rows = false

  @Flag(help: "Print JSON, an object a line.")
  var jsonl = false

  func validate() throws {
    if let speed, !(speed > 0 && speed.isFinite) { throw ValidationError("--speed takes a number above 0.") }
  }

  func run() async throws {
    let request = try entity.map { try options.request(for: $0) }
    let store = try arguments.open()
    defer { store.close() }
    try await Interruption.ending {
      let (first, last) = try store.read { reader in
        (max(try from?.resolve(in: reader) ?? 1, 1), try to.resolve(in: reader))
      }
      let bar = ProgressBar()
      defer { bar.finish() }
      var pace = Pace(store, speed: speed)
      /// Shows the progress where it does not disturb the output.
      func show(_ position: Position) {
        guard !Console.standard.isTerminal, last >= first else { return }
        bar.show(
          StoreProgress(
            activity: "replaying", completed: position.number - first.number + 1, total: last.number - first.number + 1,
            unit: "commits"))
      }
      if let request {
        let output: any WatchOutput =
          jsonl
          ? WatchLines(console: .standard, store: store, request: request, listsRows: rows)
          : WatchText(console: .standard, store: store, request: request)
        try output.begin(at: FeedCursor(Position(first.number - 1)))
        guard first <= last else { return }
        var replay = try store.replay(of: request.untyped, from: first, through: last)
        while !Task.isCancelled, let change = try replay.next() {
          try await pace.wait(for: change.to)
          try output.show(change)
          show(change.to)
        }
      } else {
        try await printLog(of: store, from: first, through: last, &pace, show)
      }
    }
  }

  private func printLog(
    of store: Store, from first: Position, through last: Position, _ pace: inout Pace, _ show: (Position) -> Void
  ) async throws {
    var printer = LogPrinter(.standard, store)
    // At full speed, commits are printed in pages, so that the progress can be shown.
    let step: UInt64 = speed == nil ? 256 : 1
    var next = first
    while next <= last, !Task.isCancelled {
      let end = min(last, Position(next.number + step - 1))
      if step == 1 { try await pace.wait(for: next) }
      let commits = try store.log(from: next, to: end)
      _ = try jsonl ? printer.printLines(commits) : printer.printText(commits)
      if step == 1 { try Console.standard.flush() }
      show(end)
      next = Position(end.number + 1)
    }
  }
}

/// Waits between commits for the original time between them, divided by a factor.
private struct Pace {
  private let store: Store
  private let speed: Double?
  private var last: Timestamp?

  init(_ store: Store, speed: Double?) {
    self.store = store
    self.speed = speed
  }

  /// Waits until the time of a commit.
  ///
  /// Does not wait if its time is earlier than the previous one.
  mutating func wait(for position: Position) async throws {
    guard let speed else { return }
    var log = try store.log(from: position, to: position)
    guard let commit = try log.next() else { return }
    let time = commit.happenedAt ?? commit.recordedAt
    defer { last = time }
    guard let last, time > last else { return }
    try await Task.sleep(for: .microseconds(Double(time.microseconds - last.microseconds) / speed))
  }
}

#endif
