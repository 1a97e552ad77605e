import DaybookModel

/// Moves between commits by the earlier positions stored in the events of one object.
package struct HistoryWalk {
  private let id: ObjectID
  private let first: Position
  private let last: Position?
  /// The commit to read next, or `nil` at the end.
  package private(set) var next: Position?

  /// - Parameters:
  ///   - position: The last commit that named the object.
  ///   - first: Commits before this one are not read.
  ///   - last: Commits after this one are not included; `nil` for no limit.
  package init(of id: ObjectID, from position: Position, downTo first: Position = 1, notAfter last: Position? = nil) {
    self.id = id
    self.first = first
    self.last = last
    next = position < first ? nil : position
  }

  /// Returns whether a commit on the way is included.
  package func includes(_ position: Position) -> Bool { last.map { position <= $0 } ?? true }

  /// Moves past the commit at ``next``.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the commit does not name the object.
  package mutating func advance(over commit: CommitView) throws {
    next = try previous(in: commit)
    if let position = next, position < first { next = nil }
  }

  /// Returns the earlier commit that named the object, or `nil` if no earlier one did.
  private func previous(in commit: CommitView) throws -> Position? {
    var events = commit.events
    while !events.isAtEnd {
      let event = try events.next()
      // All events of a commit that name an object hold the same earlier position for it.
      if event.object == id { return event.previous }
      guard let link = event.link else { continue }
      if link.to == id { return link.toPrevious }
      if link.from == id { return link.fromPrevious }
    }
    throw StoreError(
      .damaged, "Commit \(commit.header.position) should name \(id), and does not.", advice: .verify)
  }
}
