import DaybookModel

/// Goes from commit to commit by the earlier positions in the events of one object.
struct HistoryWalk {
  private let id: ObjectID
  private let first: Position
  private let last: Position?
  /// The commit to look at next; nil at the end.
  private(set) var next: Position?

  /// - Parameters:
  ///   - position: The last commit that named the object.
  ///   - first: Commits before this one are not looked at.
  ///   - last: Commits after this one are not included; nil for none.
  init(of id: ObjectID, from position: Position, downTo first: Position = 1, notAfter last: Position? = nil) {
    self.id = id
    self.first = first
    self.last = last
    next = position < first ? nil : position
  }

  /// Whether a commit on the way is one of those asked for.
  func includes(_ position: Position) -> Bool { last.map { position <= $0 } ?? true }

  /// Goes on, over the commit that is ``next``.
  ///
  /// - Throws: `StoreError` with the code `damaged` if it does not name the object.
  mutating func advance(over commit: CommitView) throws {
    next = try previous(in: commit)
    if let position = next, position < first { next = nil }
  }

  /// The commit before that named the object.
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
      .damaged, "Commit \(commit.header.position) should name \(id), and does not.", advice: "Run `daybook verify`.")
  }
}
