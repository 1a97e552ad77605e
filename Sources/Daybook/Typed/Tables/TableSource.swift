import DaybookModel
import DaybookRuntime

/// One loop's place in the states of a projection's table.
final class TableSource<Key: TableKey, Content: AttributeValue>: FeedSource {
  let wakeup: Wakeup
  private let store: Store
  private let request: TableRequest<Key, Content>
  private let projection: String
  private var isFollowing = false
  /// The rows that were delivered last.
  private var given: TableRows<Key, Content>?
  /// The state of the projection with which the rows were compared last.
  private var seen: ProjectionRecord.Stamp?
  /// How often all rows were read.
  private(set) var comparisonCount = 0
  /// The position up to which everything was delivered.
  private(set) var position: Position

  init(
    _ store: Store, _ request: TableRequest<Key, Content>, of projection: String, from known: TableRows<Key, Content>?
  ) {
    self.store = store
    wakeup = Wakeup(measuring: store.files.metrics.feedLag)
    self.request = request
    self.projection = projection
    given = known
    position = known?.position ?? .empty
  }

  deinit {
    guard isFollowing else { return }
    store.notifier.unfollowProjections(wakeup)
    store.keeper.rowChanges.unfollow(projection)
  }

  /// The rows of another state, or what changed.
  private enum Reading {
    case rows(ProjectionRows)
    case changes([ProjectionRows.Change])
  }

  /// The most rows that are read one by one; after more, all rows are compared.
  private static var maximumChangeCount: Int { 64 }

  func poll() throws -> TableStep<Key, Content>? {
    if !isFollowing {
      try store.notifier.followProjections(wakeup)
      store.keeper.rowChanges.follow(projection)
      isFollowing = true
    }
    wakeup.reset()
    guard let (stamp, position, reading) = try store.projection(projection).read({ try read($0) }) else { return nil }
    let step = try step(to: reading, at: position)
    // Kept only now, so that a row that cannot be decoded is an error of each poll.
    (self.seen, self.position) = (stamp, position)
    return step
  }

  /// Returns the state of the projection and what it holds; `nil` if it is the one seen last.
  private func read(
    _ reader: borrowing ProjectionReader
  ) throws -> (ProjectionRecord.Stamp, Position, Reading)? {
    // Without a change of the state, the rows are the same.
    guard let seen else { return (reader.stamp, reader.position, .rows(try reader.content(of: request))) }
    guard reader.stamp != seen else { return nil }
    if let changes = try changes(since: seen, in: reader) { return (reader.stamp, reader.position, .changes(changes)) }
    return (reader.stamp, reader.position, .rows(try reader.content(of: request)))
  }

  /// Returns what changed in the rows, if the runs since a state are known and changed few of them.
  private func changes(
    since seen: ProjectionRecord.Stamp, in reader: borrowing ProjectionReader
  ) throws -> [ProjectionRows.Change]? {
    guard request.offset <= 0, request.limit == nil, let rows = given?.content,
      let keys = store.keeper.rowChanges.keys(of: projection, from: seen, to: reader.stamp)
    else { return nil }
    let range = try request.bytes()
    let changed = keys.filter { range.contains($0) }
    guard changed.count <= Self.maximumChangeCount else { return nil }
    let table = reader.rows
    return try rows.changes(at: changed.sorted { rows.precedes($0, $1) }) { try table.value(for: $0) }
  }

  private func step(to reading: Reading, at position: Position) throws -> TableStep<Key, Content>? {
    switch reading {
    case .changes(let changes):
      guard !changes.isEmpty, let from = given?.position else { return nil }
      let difference = try TableDifference(changes, request)
      // Taken out while it changes: another reference to its rows would have all of them copied.
      var rows = given.take()
      rows?.move(by: changes, to: position)
      given = rows.take()
      return .change(TableChange(from: from, to: position, difference: difference))
    case .rows(let content):
      comparisonCount += 1
      let rows = TableRows(request, content, at: position)
      guard let old = given else {
        given = rows
        return .state(rows)
      }
      let difference = try old.difference(to: rows)
      guard !difference.isEmpty else { return nil }
      given = rows
      return .change(TableChange(from: old.position, to: position, difference: difference))
    }
  }
}
