import Daybook

/// Shows people a result and what happens to it.
struct WatchView: Sendable {
  private let console: Console
  private let request: FetchRequest

  init(_ console: Console, _ request: FetchRequest) {
    self.console = console
    self.request = request
  }

  /// Shows the state that the differences start from.
  func show(_ store: Store, at position: Position) throws {
    let ids = try store.read { try $0.ids(of: request, at: position) }
    for section in ids.sections where request.section != nil {
      try console.print("\(section.ids.count)  \(DisplayWidth.printable(section.name))")
    }
    try console.print("\(ids.count) \(ids.count == 1 ? "row" : "rows") at position \(position)")
  }

  func show(_ change: ResultsChange, _ store: Store) throws {
    try store.read { try ChangePrinter(console).print(change, $0) }
  }
}
