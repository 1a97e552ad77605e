#if Command

import Daybook

/// The selection of commits to show.
struct LogSelection {
  let store: Store
  /// The conditions on the commits.
  let filter: CommitFilter
  /// Whether only the events are shown that meet the conditions.
  let isNarrow: Bool
  let isReversed: Bool
  /// The maximum number of commits, or `nil` for no limit.
  var limit: Int?

  /// Returns the commits between two positions.
  ///
  /// - Parameter last: The last position, or `nil` for the head.
  func commits(from first: Position, through last: Position?) throws -> CommitLog {
    try store.log(
      where: filter, from: first, to: last, reversed: isReversed, limit: limit, matchingEventsOnly: isNarrow)
  }
}

/// Prints commits.
struct LogPrinter {
  private let console: Console
  private let store: Store
  private var isFirst = true

  init(_ console: Console, _ store: Store) {
    self.console = console
    self.store = store
  }

  /// Prints a line of JSON for each commit.
  ///
  /// - Returns: The number of commits.
  func printLines(_ log: CommitLog) throws -> Int {
    var log = log
    var count = 0
    var line: [UInt8] = []
    while try log.writeNext(.log, to: &line) {
      try console.write(line)
      line.removeAll(keepingCapacity: true)
      count += 1
    }
    return count
  }

  /// Prints one JSON value: the list of the lines.
  func printList(_ log: CommitLog) throws {
    var log = log
    var line: [UInt8] = []
    var isFirst = true
    try console.write("[")
    while try log.writeNext(.log, to: &line) {
      line.removeLast()
      try console.write(isFirst ? "" : ",\n ")
      try console.write(line)
      line.removeAll(keepingCapacity: true)
      isFirst = false
    }
    try console.print("]")
  }

  /// Prints the commits in words, with an empty line between them.
  ///
  /// - Returns: The number of commits.
  mutating func printText(_ log: CommitLog) throws -> Int {
    var log = log
    var count = 0
    // Names are looked up again in each call, because objects may have been renamed since.
    var words = CommitText(store)
    while let commit = try log.next() {
      if !isFirst { try console.print() }
      isFirst = false
      for line in try words.lines(of: commit) { try console.print(line) }
      count += 1
    }
    return count
  }
}

#endif
