import DaybookModel

/// The changes of objects in a span of commits, read once for several requests.
package struct SpanChanges {
  /// The first commit.
  let first: Position
  /// The changes of each commit of events, in order; each change once for a commit.
  private let commits: [(position: Position, changes: [ObjectChange])]

  /// The most changes that are kept in memory.
  package static let maximumCount = 262_144

  /// Reads a span.
  ///
  /// - Parameter model: The model by which the commits are read.
  /// - Returns: `nil` if the span has more changes than ``maximumCount``.
  /// - Throws: `StoreError` with the code `damaged`.
  package init?(from first: Position, through last: Position, in journal: some Journal, model: ResolvedModel) throws {
    var commits: [(position: Position, changes: [ObjectChange])] = []
    var count = 0
    try journal.forEachCommit(from: first, through: last) { commit in
      var (changes, seen): ([ObjectChange], Set<ObjectChange>) = ([], [])
      try commit.events.forEachChange(in: model) { if seen.insert($0).inserted { changes.append($0) } }
      if !changes.isEmpty { commits.append((commit.header.position, changes)) }
      count += changes.count
      return count <= SpanChanges.maximumCount
    }
    guard count <= SpanChanges.maximumCount else { return nil }
    self.first = first
    self.commits = commits
  }

  /// Returns the rows of a request that the span may have changed, with the commits that touched them.
  package func candidates(_ dependents: RequestDependents, in reader: Reader) throws -> [ObjectID: [Position]] {
    var collector = CandidateCollector(dependents, reader: reader)
    for commit in commits {
      for change in commit.changes { try collector.take(change, of: commit.position) }
    }
    return collector.candidates
  }
}
