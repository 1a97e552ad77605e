import Daybook
import DaybookModel

/// The streams of a server: what they share, and their clock.
final class FeedHub: Sendable {
  private let state: ServerState

  private struct Shared {
    var channels: [FeedChannel.Key: Entry] = [:]
    var signals: [ObjectIdentifier: StreamSignal] = [:]
    /// The signals of the streams that follow the journal.
    var journal: Set<ObjectIdentifier> = []
    var hasEnded = false
    /// Ticks and follows the journal while there are streams.
    var tasks: [Task<Void, Never>] = []
  }

  /// A channel with the number of its subscribers.
  private struct Entry {
    let channel: Task<FeedChannel, any Error>
    var count = 0
  }

  private let shared = Locked(Shared())

  init(_ state: ServerState) {
    self.state = state
  }

  /// The number of open streams.
  var streamCount: Int { shared.withLock { $0.signals.count } }

  /// Registers a stream.
  ///
  /// - Parameter followsJournal: Whether each commit is news for it.
  /// - Throws: `Problem` with the status 503 if there are too many streams, or the server ends.
  func open(followsJournal: Bool) throws -> StreamSignal {
    let signal = StreamSignal()
    let limit = state.configuration.streamLimit
    let refusal: String? = shared.withLock { shared in
      if shared.hasEnded { return "The server is shutting down." }
      guard shared.signals.count < limit else { return "There are \(limit) streams already, the most at a time." }
      shared.signals[ObjectIdentifier(signal)] = signal
      if followsJournal { shared.journal.insert(ObjectIdentifier(signal)) }
      if shared.tasks.isEmpty { shared.tasks = [makeClock(), makeFollower()] }
      return nil
    }
    guard let refusal else { return signal }
    var problem = Problem(.serviceUnavailable, refusal, advice: "Try again later.")
    problem.headers[.retryAfter] = "5"
    throw problem
  }

  func close(_ signal: StreamSignal) {
    let ended = shared.withLock { shared in
      shared.signals[ObjectIdentifier(signal)] = nil
      shared.journal.remove(ObjectIdentifier(signal))
      guard shared.signals.isEmpty else { return [Task<Void, Never>]() }
      defer { shared.tasks = [] }
      return shared.tasks
    }
    for task in ended { task.cancel() }
    signal.end()
  }

  /// Ends all streams, and refuses new ones.
  func end() {
    let (signals, tasks) = shared.withLock { shared in
      shared.hasEnded = true
      defer { shared.tasks = [] }
      return (Array(shared.signals.values), shared.tasks)
    }
    for task in tasks { task.cancel() }
    for signal in signals { signal.end() }
  }

  /// Wakes the streams that have something to send at a time.
  private func makeClock() -> Task<Void, Never> {
    Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(500))
        guard let self else { return }
        let signals = shared.withLock { Array($0.signals.values) }
        let now = ContinuousClock.now
        for signal in signals { signal.tick(now) }
      }
    }
  }

  /// Wakes the streams that follow the journal.
  private func makeFollower() -> Task<Void, Never> {
    Task { [weak self, state] in
      do {
        let head = try await state.blocking { try $0.head() }
        for try await _ in state.store.commits(from: head.next).raw { self?.noteCommit() }
      } catch {
        // The store was closed: each stream finds that out by itself.
        self?.noteCommit()
      }
    }
  }

  private func noteCommit() {
    let signals = shared.withLock { shared in shared.journal.compactMap { shared.signals[$0] } }
    for signal in signals { signal.noteNews() }
  }
}

/// Channels, which live while they have subscribers.
extension FeedHub {
  /// Adds a stream to the subscribers of some requests.
  ///
  /// - Returns: The channel, and what takes the stream out again, which must be called.
  /// - Throws: `StoreError` with the code `badRequest`, `Problem`.
  func join(
    _ key: FeedChannel.Key, _ signal: StreamSignal
  ) async throws -> (channel: FeedChannel, leave: @Sendable () async -> Void) {
    let task = shared.withLock { shared in
      var entry = shared.channels[key] ?? Entry(channel: makeChannel(key))
      entry.count += 1
      shared.channels[key] = entry
      return entry.channel
    }
    do {
      let channel = try await task.value
      await channel.add(signal)
      return (
        channel,
        {
          await channel.remove(signal)
          if self.release(key) { await channel.stop() }
        }
      )
    } catch {
      _ = release(key)
      throw error
    }
  }

  private func makeChannel(_ key: FeedChannel.Key) -> Task<FeedChannel, any Error> {
    Task { [state] in
      let channel = try await FeedChannel(key, state)
      await channel.start()
      return channel
    }
  }

  /// - Returns: Whether that was the last subscriber.
  private func release(_ key: FeedChannel.Key) -> Bool {
    shared.withLock { shared in
      guard var entry = shared.channels[key] else { return false }
      entry.count -= 1
      shared.channels[key] = entry.count > 0 ? entry : nil
      return entry.count == 0
    }
  }
}
