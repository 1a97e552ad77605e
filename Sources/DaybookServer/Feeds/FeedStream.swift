#if Server

import Daybook
import DaybookModel
import Hummingbird
import NIOCore
import ServiceLifecycle

/// One client's place in a topic: two positions, and nothing else.
///
/// The topic goes with its last stream. A stream that was never written is released with its last reference.
final class FeedStream: Sendable {
  private let hub: FeedHub
  private let topic: FeedTopic
  /// How many differences end the stream.
  private let limit: Int
  /// The time that one step may take to compute.
  private let timeLimit: Duration
  private let ending = Locked(Ending())

  private struct Ending {
    var isEnded = false
    /// The present wait in the topic.
    var wait: Int?
  }

  /// The positions of a stream, used only by the task that writes it.
  private struct Place {
    /// What the client has, as everything up to it was written.
    var cursor: FeedCursor
    /// The position that was stated last, from which the next difference counts.
    var stated: Position
    /// What projections lacked when it was stated.
    var behind: [String: UInt64] = [:]
    var rest: Int
    var lastEvent = ContinuousClock.now
    var lastWrite = ContinuousClock.now
    /// The stream's own steps, while it takes each commit and is behind the topic's.
    var own: StepSource?
  }

  /// How long nothing is written before a comment keeps the connection, and before the position is stated.
  private static let commentInterval = Duration.seconds(15)
  private static let positionInterval = Duration.seconds(5)
  /// How long a stream waits for a commit that other nodes have.
  private static let patience = Duration.seconds(30)
  private static let comment = ByteBuffer(string: ":\n\n")

  init(_ hub: FeedHub, _ topic: FeedTopic, limit: Int?, within timeLimit: Duration) {
    (self.hub, self.topic, self.limit, self.timeLimit) = (hub, topic, limit ?? .max, timeLimit)
  }

  deinit {
    hub.leave(topic)
  }

  /// Ends the stream: the next wait, or the present one, returns.
  func end() {
    let wait = ending.withLock { ending in
      ending.isEnded = true
      return ending.wait
    }
    if let wait { topic.wake(wait) }
  }

  private var isEnded: Bool { ending.withLock { $0.isEnded } }

  /// What a stream begins with.
  struct Beginning {
    /// The state, or nothing for a known commit.
    var step: FeedStep?
    /// What the client has.
    var start = FeedCursor.start
    /// The commit that the client has and this node of a replicated store does not have yet.
    var awaited: FeedCursor?
  }

  /// Returns what the stream begins with.
  ///
  /// - Parameter cursor: What the client has; `nil` if it has nothing.
  /// - Throws: `StoreError` if the state cannot be read.
  func begin(at cursor: FeedCursor?) async throws -> Beginning {
    guard let cursor else { return Beginning(step: try await topic.present()) }
    switch try await look(for: cursor) {
    case .present: return Beginning(start: cursor)
    case .later: return Beginning(start: cursor, awaited: cursor)
    case .absent: return Beginning(step: try await resetStep(), start: cursor)
    }
  }

  private enum Sight { case present, later, absent }

  /// Looks for a commit, which a node of a replicated store may not have yet.
  private func look(for cursor: FeedCursor) async throws -> Sight {
    try await ThreadPoolExecutor.run { [store = hub.store] in
      try store.read { reader in
        if try reader.has(cursor) { return .present }
        return store.replication != nil && cursor.position > reader.position ? .later : .absent
      }
    }
  }

  /// Waits for a commit with comments, and returns a reset if it does not come in time.
  private func wait(for cursor: FeedCursor, to writer: inout any ResponseBodyWriter) async throws -> FeedStep? {
    let end = ContinuousClock.now + Self.patience
    var nextComment = ContinuousClock.now
    while !isEnded {
      switch try await look(for: cursor) {
      case .present: return nil
      case .later where ContinuousClock.now < end: break
      case .later, .absent: return try await resetStep()
      }
      if ContinuousClock.now >= nextComment {
        try await writer.write(Self.comment)
        nextComment = .now + .seconds(1)
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  /// Returns the whole state as a step that marks the client's own as not to be continued.
  private func resetStep() async throws -> FeedStep {
    let present = try await topic.present()
    let resets = topic.subject.resets(to: present.end.position)
    let events = zip(resets, present.events).flatMap { [$0, $1] }
    return FeedStep(starts: present.starts, end: present.end, events: events)
  }

  /// Writes the stream until it ends.
  ///
  /// - Throws: The errors of the writer, when the client has left, and of the store.
  func run(
    _ first: consuming Beginning, to writer: inout any ResponseBodyWriter, over channel: any Channel
  ) async throws {
    channel.closeFuture.whenComplete { [weak self] _ in self?.end() }
    var place = Place(cursor: first.start, stated: first.start.position, rest: limit)
    var step = first.step
    let awaited = first.awaited
    first.step = nil
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        if let awaited { step = try await wait(for: awaited, to: &writer) }
        if let first = step.take() { try await write(first, &place, to: &writer) }
        try await follow(&place, to: &writer)
      } onGracefulShutdown: {
        self.end()
      }
    } onCancel: {
      end()
    }
  }

  private func follow(_ place: inout Place, to writer: inout any ResponseBodyWriter) async throws {
    while place.rest > 0, !isEnded {
      if let step = try await nextStep(&place) {
        try await write(step, &place, to: &writer)
      } else {
        try await rest(&place, to: &writer)
      }
    }
  }

  /// Returns the next step, or `nil` if none is available yet.
  private func nextStep(_ place: inout Place) async throws -> FeedStep? {
    switch try topic.next(after: place.cursor) {
    case .step(let step):
      place.own = nil
      return step
    case .nothing(let head, _):
      place.own = nil
      if head.position > place.cursor.position || head.time != place.cursor.time { place.cursor = head }
      return nil
    case .missed:
      guard topic.subject.isStepwise else {
        let found = try await topic.catchUp(from: place.cursor)
        place.cursor = found.cursor
        return found.step
      }
      let own = place.own ?? topic.subject.source(hub.store, from: place.cursor)
      place.own = own
      let step = try await ThreadPoolExecutor.run { [timeLimit] in
        try ServerState.within(timeLimit, isCancelled: { self.isEnded }, own.poll)
      }
      if step == nil {
        place.cursor = own.cursor()
        if topic.subject.readsTime { topic.examine() }
      }
      return step
    }
  }

  private func write(
    _ step: FeedStep, _ place: inout Place, to writer: inout any ResponseBodyWriter
  ) async throws {
    try await writer.write(contentsOf: step.buffers(from: place.stated))
    (place.cursor, place.stated) = (step.end, step.end.position)
    place.rest -= min(place.rest, step.changeCount)
    place.lastEvent = .now
    place.lastWrite = place.lastEvent
  }

  /// Waits for a step; states the position, or writes a comment, when the time has come.
  private func rest(_ place: inout Place, to writer: inout any ResponseBodyWriter) async throws {
    await topic.wait(
      after: place.cursor, stated: place.stated, behind: place.behind, until: place.lastWrite + Self.commentInterval,
      positionDeadline: place.lastEvent + Self.positionInterval
    ) { number in
      ending.withLock { ending in
        ending.wait = number
        return !ending.isEnded
      }
    }
    guard !isEnded else { return }
    let next = try topic.next(after: place.cursor)
    // The stream has rows that the topic has not examined yet.
    if case .missed = next { return try await Task.sleep(for: .milliseconds(20)) }
    guard case .nothing(let head, let behind) = next else { return }
    let now = ContinuousClock.now
    let isNews = head.position > place.stated || behind != place.behind
    if isNews, head.position >= place.stated, now - place.lastEvent >= Self.positionInterval {
      try await write(.position(head, behind: behind), &place, to: &writer)
      place.behind = behind
    } else if now - place.lastWrite >= Self.commentInterval {
      try await writer.write(Self.comment)
      place.lastWrite = now
    }
  }
}

#endif
