#if Command

import Daybook

/// The output of a watched result and its differences.
protocol WatchOutput: Sendable {
  /// Shows the state at which the differences begin.
  func begin(at start: FeedCursor) throws
  /// Shows a difference.
  func show(_ change: ResultsChange) throws
  /// Restores the terminal.
  func end()
}

extension WatchOutput {
  func end() {}
}

/// Output for programs: a line of JSON for the state, and one for each difference.
struct WatchLines: WatchOutput {
  let console: Console
  let store: Store
  let request: FetchRequest
  /// Whether the state lists the ids of its rows.
  let listsRows: Bool

  func begin(at start: FeedCursor) throws {
    let position = start.position
    let ids = try store.read { try $0.ids(of: request.at(start.time), at: position) }
    let groups = try listsRows && position > .empty ? groups(at: position, start.time) : [:]
    let sections = ids.sections.map { section in
      var members: [(String, JSONValue)] = [
        ("name", .string(section.name)), ("count", .integer(Int64(section.rows.count))),
      ]
      if listsRows { members.append(("ids", .array(section.rows.map { groups[$0] ?? .string("\($0)") }))) }
      return JSONValue.object(members)
    }
    try console.print(["position": position.json, "sections": .array(sections)])
    try console.flush()
  }

  /// Returns the keys of the groups at a position, if the rows are groups.
  private func groups(at position: Position, _ time: Timestamp?) throws -> [ObjectID: JSONValue] {
    guard request.grouping != nil else { return [:] }
    let request = request.at(time)
    let rows = try store.read { try $0.read(request, at: position) { try $0.fetch(request).rows } }
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0.id, GroupColumns.json(ofKey: GroupColumns($0).key.map(\.value))) })
  }

  func show(_ change: ResultsChange) throws {
    try console.print(change.json)
    try console.flush()
  }
}

/// Output as plain text: the sections, and a line for each change.
struct WatchText: WatchOutput {
  let console: Console
  let store: Store
  let request: FetchRequest

  func begin(at start: FeedCursor) throws {
    let position = start.position
    let ids = try store.read { try $0.ids(of: request.at(start.time), at: position) }
    for section in ids.sections where request.section != nil {
      try console.print("\(section.rows.count)  \(PrintableText.line(section.name))")
    }
    try console.print("\(ids.count) \(ids.count == 1 ? "row" : "rows") at position \(position)")
    try console.flush()
  }

  func show(_ change: ResultsChange) throws {
    try ChangePrinter(console, store, request).print(change)
    try console.flush()
  }
}

#endif
