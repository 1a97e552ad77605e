#if Server

import DaybookModel

/// The streams whose token or session may end before they do.
///
/// A stream that writes asks its credential itself. One that has nothing to write is ended here, within a second.
final class OpenStreams: Sendable {
  private struct Stream: Sendable {
    let credential: Credential
    let end: @Sendable () -> Void
  }

  private struct State {
    var streams: [Int: Stream] = [:]
    var count = 0
    /// Asks their credentials once a second while there are any.
    var ticker: Task<Void, Never>?
  }

  private let state = Locked(State())

  /// Adds a stream; one without a credential needs no look.
  ///
  /// - Parameter end: Ends it; called once at most.
  /// - Returns: What ``remove(_:)`` takes.
  func add(_ credential: Credential, end: @escaping @Sendable () -> Void) -> Int? {
    guard credential.principal != nil else { return nil }
    return state.withLock { state in
      state.count += 1
      state.streams[state.count] = Stream(credential: credential, end: end)
      if state.ticker == nil { state.ticker = Task { [weak self] in await OpenStreams.tick(self) } }
      return state.count
    }
  }

  func remove(_ number: Int) {
    state.withLock { state in
      state.streams[number] = nil
      guard state.streams.isEmpty else { return }
      state.ticker?.cancel()
      state.ticker = nil
    }
  }

  /// Ends the streams whose credentials are not known any more.
  func endInvalid() {
    let invalid = state.withLock { $0.streams }.filter { !$0.value.credential.isValid }
    state.withLock { state in
      for number in invalid.keys { state.streams[number] = nil }
    }
    for stream in invalid.values { stream.end() }
  }

  private static func tick(_ streams: OpenStreams?) async {
    weak let streams = streams
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      guard !Task.isCancelled, let streams else { return }
      streams.endInvalid()
    }
  }
}

#endif
