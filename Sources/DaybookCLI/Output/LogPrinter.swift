import Daybook

/// Which commits of a store are shown.
struct LogSelection {
  let store: Store
  /// Only those that name this object; nil for all.
  let object: ObjectID?
  let isReversed: Bool
  /// The most commits; nil for any number.
  var limit: Int?

  /// The commits between two positions.
  ///
  /// - Parameter last: Nil for the head.
  func commits(from first: Position, through last: Position?) throws -> CommitLog {
    guard let object else { return try store.log(from: first, to: last, reversed: isReversed, limit: limit) }
    return try store.history(of: object, from: first, to: last, reversed: isReversed, limit: limit)
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
  /// - Returns: How many there were.
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

  /// Prints one JSON value: the list of what the lines would be.
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
  /// - Returns: How many there were.
  mutating func printText(_ log: CommitLog) throws -> Int {
    var log = log
    var count = 0
    // Names are looked up anew each time: what was printed before may have been renamed since.
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
