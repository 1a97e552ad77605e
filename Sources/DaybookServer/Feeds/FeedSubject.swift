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

  /// Whether each commit is a step of its own.
  var isStepwise: Bool {
    switch self {
    case .requests(let requests): requests.granularity == .everyCommit
    case .commits: true
    case .tree: false
    }
  }

  /// Returns the steps from a position on.
  func source(_ store: Store, from start: Position) -> StepSource {
    switch self {
    case .requests(let requests): requests.source(store, from: start)
    case .commits(let filter, let isNarrow):
      StepSource.commits(of: store, where: filter, matchingEventsOnly: isNarrow, from: start)
    case .tree(let tree): tree.source(store, from: start)
    }
  }

  /// Returns the events with the whole state at a reader's position.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the model lacks what is named.
  func state(in reader: borrowing StoreReader) throws -> [FeedEvent] {
    switch self {
    case .requests(let requests): try requests.state(in: reader)
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
  /// The position up to which everything was polled.
  let position: @Sendable () -> Position
  /// Waits until there may be another step.
  let wait: @Sendable () async -> Void
  /// Ends the wait.
  let wake: @Sendable () -> Void

  init(
    poll: @escaping @Sendable () throws -> FeedStep?, position: @escaping @Sendable () -> Position,
    wait: @escaping @Sendable () async -> Void, wake: @escaping @Sendable () -> Void
  ) {
    (self.poll, self.position, self.wait, self.wake) = (poll, position, wait, wake)
  }

  init<Element: Sendable>(
    _ feed: Feed<Element>, encode: @escaping @Sendable (Element) throws -> FeedStep
  ) {
    let poller = FeedPoller(feed)
    self.init {
      try poller.poll().map(encode)
    } position: {
      poller.position
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
