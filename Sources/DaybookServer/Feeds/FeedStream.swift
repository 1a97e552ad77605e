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
    /// The position up to which everything was written.
    var position: Position
    /// The position that was stated last, from which the next difference counts.
    var stated: Position
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
    /// The position that the client has.
    var start = Position.empty
    /// The commit that the client has and this node of a replicated store does not have yet.
    var awaited: CommitMark?
  }

  /// Returns what the stream begins with.
  ///
  /// - Parameter cursor: The commit that the client has.
  /// - Throws: `StoreError` if the state cannot be read.
  func begin(at cursor: StreamCursor) async throws -> Beginning {
    guard case .after(let cursor) = cursor else { return Beginning(step: try await topic.present()) }
    switch try await look(for: cursor) {
    case .present: return Beginning(start: cursor.position)
    case .later: return Beginning(start: cursor.position, awaited: cursor)
    case .absent: return Beginning(step: try await resetStep(), start: cursor.position)
    }
  }

  private enum Sight { case present, later, absent }

  /// Looks for a commit, which a node of a replicated store may not have yet.
  private func look(for mark: CommitMark) async throws -> Sight {
    try await ThreadPoolExecutor.run { [store = hub.store] in
      try store.read { reader in
        if try reader.has(mark) { return .present }
        return store.replication != nil && mark.position > reader.position ? .later : .absent
      }
    }
  }

  /// Waits for a commit with comments, and returns a reset if it does not come in time.
  private func wait(for mark: CommitMark, to writer: inout any ResponseBodyWriter) async throws -> FeedStep? {
    let end = ContinuousClock.now + Self.patience
    var nextComment = ContinuousClock.now
    while !isEnded {
      switch try await look(for: mark) {
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
    var place = Place(position: first.start, stated: first.start, rest: limit)
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
    switch try topic.next(after: place.position) {
    case .step(let step):
      place.own = nil
      return step
    case .nothing(let head):
      place.own = nil
      place.position = max(place.position, head.position)
      return nil
    case .missed:
      guard topic.subject.isStepwise else {
        let found = try await topic.catchUp(from: place.position)
        place.position = found.position
        return found.step
      }
      let own = place.own ?? topic.subject.source(hub.store, from: place.position)
      place.own = own
      let step = try await ThreadPoolExecutor.run { [timeLimit] in
        try ServerState.within(timeLimit, isCancelled: { self.isEnded }, own.poll)
      }
      if step == nil { place.position = max(place.position, own.position()) }
      return step
    }
  }

  private func write(
    _ step: FeedStep, _ place: inout Place, to writer: inout any ResponseBodyWriter
  ) async throws {
    try await writer.write(contentsOf: step.buffers(from: place.stated))
    (place.position, place.stated) = (step.end.position, step.end.position)
    place.rest -= min(place.rest, step.changeCount)
    place.lastEvent = .now
    place.lastWrite = place.lastEvent
  }

  /// Waits for a step; states the position, or writes a comment, when the time has come.
  private func rest(_ place: inout Place, to writer: inout any ResponseBodyWriter) async throws {
    await topic.wait(
      after: place.position, stated: place.stated, until: place.lastWrite + Self.commentInterval,
      positionDeadline: place.lastEvent + Self.positionInterval
    ) { number in
      ending.withLock { ending in
        ending.wait = number
        return !ending.isEnded
      }
    }
    guard !isEnded, case .nothing(let head) = try topic.next(after: place.position) else { return }
    let now = ContinuousClock.now
    if head.position > place.stated, now - place.lastEvent >= Self.positionInterval {
      try await write(.position(head), &place, to: &writer)
    } else if now - place.lastWrite >= Self.commentInterval {
      try await writer.write(Self.comment)
      place.lastWrite = now
    }
  }
}

#endif
