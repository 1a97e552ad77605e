#if Server

import Daybook
import DaybookModel
import DaybookQuery

/// What a stream follows. Streams with equal subjects share all evaluations.
enum FeedSubject: Hashable, Sendable {
  case requests(FollowedRequests)
  /// The commits that meet a filter; if so wanted, without their other events.
  case commits(CommitFilter, matchingEventsOnly: Bool)
  case tree(FollowedTree)

  /// Whether the state depends on the time.
  var readsTime: Bool {
    if case .requests(let requests) = self { requests.readTime } else { false }
  }

  /// Whether each commit is a step of its own.
  var isStepwise: Bool {
    switch self {
    case .requests(let requests): requests.granularity == .everyCommit
    case .commits: true
    case .tree: false
    }
  }

  /// Returns the steps from a cursor on.
  func source(_ store: Store, from start: FeedCursor) -> StepSource {
    switch self {
    case .requests(let requests): requests.source(store, from: start)
    case .commits(let filter, let isNarrow):
      StepSource.commits(of: store, where: filter, matchingEventsOnly: isNarrow, from: start.position)
    case .tree(let tree): tree.source(store, from: start.position)
    }
  }

  /// Calls a closure with the reader of the state in which the subject is read.
  func reading<Result>(_ reader: borrowing StoreReader, _ body: (borrowing StoreReader) throws -> Result) throws
    -> Result
  {
    guard case .requests(let requests) = self else { return try body(reader) }
    return try reader.reading(requests.entities, body)
  }

  /// Returns the cursor of a stream that has the state of a reader.
  func cursor(in reader: borrowing StoreReader) throws -> FeedCursor {
    try reading(reader) { try $0.cursor(at: $0.position, time: readsTime ? $0.now() : nil) }
  }

  /// Returns the events with the whole state at a reader's position.
  ///
  /// - Parameter time: The time of the state, if it depends on the time.
  /// - Throws: `StoreError` with the code `badRequest` if the model lacks what is named.
  func state(in reader: borrowing StoreReader, at time: Timestamp?) throws -> [FeedEvent] {
    switch self {
    case .requests(let requests): try requests.at(time).state(in: reader)
    case .commits: [FeedEvent(.state, Array("{\"position\": \(reader.position)}".utf8))]
    case .tree(let tree): [try tree.state(in: reader)]
    }
  }

  /// Returns the events that report that nothing of a stream's state holds any more, one for each event of the state.
  func resets(to end: Position) -> [FeedEvent] {
    let members: [(key: String, value: JSONValue)] = [("to", end.json), ("reset", true)]
    guard case .requests(let requests) = self else { return [FeedEvent(.reset, after: members)] }
    return requests.requests.indices.map { FeedEvent(.reset, after: members + requests.number(of: $0)) }
  }
}

/// The steps of a subject from a position on, polled by one task at a time.
struct StepSource: Sendable {
  /// Returns the next step, or `nil` if none is available yet. The caller sets its starts.
  let poll: @Sendable () throws -> FeedStep?
  /// What a stream has that received everything that was polled.
  let cursor: @Sendable () -> FeedCursor
  /// Waits until there may be another step.
  let wait: @Sendable () async -> Void
  /// Ends the wait.
  let wake: @Sendable () -> Void

  init(
    poll: @escaping @Sendable () throws -> FeedStep?, cursor: @escaping @Sendable () -> FeedCursor,
    wait: @escaping @Sendable () async -> Void, wake: @escaping @Sendable () -> Void
  ) {
    (self.poll, self.cursor, self.wait, self.wake) = (poll, cursor, wait, wake)
  }

  init<Element: Sendable>(
    _ feed: Feed<Element>, encode: @escaping @Sendable (Element) throws -> FeedStep
  ) {
    let poller = FeedPoller(feed)
    self.init {
      try poller.poll().map(encode)
    } cursor: {
      poller.cursor
    } wait: {
      await poller.wait()
    } wake: {
      poller.wake()
    }
  }

  /// Returns the commits after a position that meet a filter.
  static func commits(
    of store: Store, where filter: CommitFilter, matchingEventsOnly isNarrow: Bool, from start: Position
  ) -> StepSource {
    let log = CommitEncoder(store, where: isNarrow ? filter : nil)
    return StepSource(store.commits(where: filter, from: start.next)) { try log.step($0) }
  }
}

#endif
