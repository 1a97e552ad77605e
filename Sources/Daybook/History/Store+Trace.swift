import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Returns what led to a commit, and what came of it.
  ///
  /// Commits are linked by their causation; see ``CommitTrace``.
  ///
  /// - Parameters:
  ///   - position: The commit.
  ///   - limit: The most consequences to return; all of their own causes come first.
  /// - Throws: `StoreError`: `notFound` if there is no such commit, `closed`, `damaged`.
  /// - Complexity: O(*k* log *n*) for the *k* commits of the tree.
  public func trace(of position: Position, limit: Int = 10_000) throws -> CommitTrace {
    let head = try self.position
    guard position > .empty, position <= head else {
      throw StoreError(
        .notFound, "There is no commit \(position); the head is \(head).", advice: "Give a position from 1 to the head."
      )
    }
    var headers = try files.withJournal { journal in
      var chain = [try journal.header(at: position).header]
      while let cause = try chain.last?.reasons.causation.flatMap({ try journal.position(of: $0) }),
        let last = chain.last, cause > .empty, cause < last.position
      {
        chain.append(try journal.header(at: cause).header)
      }
      return chain
    }
    headers.reverse()
    var entries = try headers.enumerated().map { depth, header in
      CommitTrace.Entry(summary: try CommitSummary(reading: header), depth: depth)
    }
    let start = entries.count
    // The commits whose consequences are missing, the next one last.
    var open = entries.suffix(1)
    var isCutShort = false
    while let cause = open.popLast() {
      if cause.position != position { entries.append(cause) }
      let room = limit - (entries.count - start) - open.count
      let (found, hasMore) = try consequences(of: cause, atMost: max(0, room))
      isCutShort = isCutShort || hasMore
      open += found.reversed()
    }
    return CommitTrace(position: position, entries: entries, isCutShort: isCutShort)
  }

  /// Returns the commits that name a commit as their cause, and whether there are more.
  private func consequences(
    of cause: CommitTrace.Entry, atMost limit: Int
  ) throws -> (found: [CommitTrace.Entry], hasMore: Bool) {
    let filter = CommitFilter(causation: .position(cause.position))
    var log = try log(where: filter, from: cause.position.next, limit: limit < .max ? limit + 1 : nil)
    var found: [CommitTrace.Entry] = []
    while let header = try log.nextHeader() {
      found.append(CommitTrace.Entry(summary: try CommitSummary(reading: header), depth: cause.depth + 1))
    }
    let hasMore = found.count > limit
    return (hasMore ? found.dropLast() : found, hasMore)
  }
}
