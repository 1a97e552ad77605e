#if Server

import Daybook
import DaybookModel
import Hummingbird

/// All streams of a server, by what they follow.
final class FeedHub: Sendable {
  let store: Store
  private let server: ServerState
  private let state = Locked(State())

  private struct State {
    var topics: [FeedSubject: (topic: FeedTopic, streams: Int)] = [:]
    var streamCount = 0
    /// Wakes the topics once a second while there are streams.
    var ticker: Task<Void, Never>?
  }

  init(_ server: ServerState) {
    (self.server, store) = (server, server.store)
  }

  /// Answers a request with a stream.
  ///
  /// - Parameters:
  ///   - subject: What it follows, which the head's model has.
  ///   - count: How many differences end it; `nil` for no end.
  /// - Throws: `Problem`: 400 for a malformed cursor or a request with a body, 503 if there are too many streams;
  ///   `StoreError`.
  func answer(_ request: ServerRequest, _ subject: FeedSubject, endingAfter count: Int?) async throws -> Response {
    let cursor = try request.cursor()
    // A body that never ends would end the process: see `Response.events`.
    guard !request.announcesBody else {
      throw Problem(.badRequest, "A request for a stream has no body.", advice: "Leave the body out.")
    }
    let stream = try await stream(subject, endingAfter: count)
    // Taken out when it is written: the answer lives as long as the stream.
    let first = Locked<FeedStream.Beginning?>(try await stream.begin(at: cursor))
    let channel = request.context.channel
    return Response.events(answering: request) { writer in
      let beginning = first.withLock { $0.take() }
      try await stream.run(beginning ?? FeedStream.Beginning(), to: &writer, over: channel)
    } onLeave: {
      stream.end()
    }
  }

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - subject: What it follows.
  ///   - count: How many differences end it; `nil` for no end.
  /// - Throws: `Problem` if there are too many streams; `StoreError`.
  private func stream(_ subject: FeedSubject, endingAfter count: Int? = nil) async throws -> FeedStream {
    let limit = server.configuration.streamLimit
    let head = try await ThreadPoolExecutor.run { [store] in
      try store.read { try subject.cursor(in: $0) }
    }
    let topic = try state.withLock { state -> FeedTopic in
      guard state.streamCount < limit else {
        throw Problem(
          .serviceUnavailable, "The server has \(limit) streams, and allows no more.", advice: "Try again later.",
          retryAfter: 10)
      }
      state.streamCount += 1
      if state.ticker == nil { state.ticker = Task { [weak self] in await FeedHub.tick(self) } }
      if let entry = state.topics[subject] {
        state.topics[subject] = (entry.topic, entry.streams + 1)
        return entry.topic
      }
      let topic = FeedTopic(subject, of: store, from: head, within: server.configuration.fetchTimeLimit)
      state.topics[subject] = (topic, 1)
      topic.start()
      return topic
    }
    return FeedStream(self, topic, limit: count, within: server.configuration.fetchTimeLimit)
  }

  /// Takes note that a stream has ended.
  func leave(_ topic: FeedTopic) {
    let (isLast, ticker) = state.withLock { state -> (Bool, Task<Void, Never>?) in
      state.streamCount -= 1
      var ended: Task<Void, Never>?
      if state.streamCount == 0 { (ended, state.ticker) = (state.ticker, nil) }
      guard let entry = state.topics[topic.subject], entry.topic === topic else { return (false, ended) }
      state.topics[topic.subject] = entry.streams > 1 ? (topic, entry.streams - 1) : nil
      return (entry.streams == 1, ended)
    }
    ticker?.cancel()
    if isLast { topic.close() }
  }

  /// The numbers of streams and of topics.
  var counts: (streams: Int, topics: Int) { state.withLock { ($0.streamCount, $0.topics.count) } }

  /// Wakes the streams whose deadline has passed, once a second, until the task is cancelled.
  private static func tick(_ hub: FeedHub?) async {
    weak let hub = hub
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      guard let hub, !Task.isCancelled else { return }
      // A store that cannot be read ends the topics by itself.
      try? await ThreadPoolExecutor.run {
        let head = try hub.store.position
        let now = ContinuousClock.now
        for topic in hub.state.withLock({ $0.topics.values.map(\.topic) }) { topic.tick(now, head: head) }
      }
    }
  }
}

#endif
