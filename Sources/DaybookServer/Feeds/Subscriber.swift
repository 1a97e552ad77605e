import Daybook
import DaybookModel
import DaybookTools
import NIOCore

/// One stream of a request, or of several: it sends what its client has not seen.
struct Subscriber {
  let state: ServerState
  let key: FeedChannel.Key
  /// The number of differences after which the stream ends.
  let limit: Int

  /// Sends coalesced differences, which all subscribers of the requests share.
  func run(
    _ hub: FeedHub, _ signal: StreamSignal, _ cursor: StreamCursor, _ sink: inout EventSink
  ) async throws {
    // The sink cannot leave this function, so the channel is asked between its calls.
    let (channel, leave) = try await hub.join(key, signal)
    do {
      try await follow(channel, signal, cursor, &sink)
    } catch {
      await leave()
      throw error
    }
    await leave()
  }

  private func follow(
    _ channel: FeedChannel, _ signal: StreamSignal, _ cursor: StreamCursor, _ sink: inout EventSink
  ) async throws {
    var position = try await begin(channel, cursor, &sink)
    var count = 0
    while true {
      while let delivery = try await channel.next(after: position) {
        if delivery.bytes.readableBytes > 0 { try await sink.send(delivery.bytes) }
        position = delivery.position
        count += delivery.differenceCount
        if count >= limit { return }
      }
      let now = ContinuousClock.now
      let wanted = sink.lastSent + EventStream.positionInterval
      switch await signal.wait(until: wanted > now ? wanted : now + EventStream.positionInterval) {
      case .end: return
      case .news: continue
      case .time: position = try await sayPosition(channel, position, &sink)
      }
    }
  }

  /// Sends the state, or a reset with the state if the store is not the one that the client knows.
  ///
  /// - Returns: The position that the client then has.
  private func begin(
    _ channel: FeedChannel, _ cursor: StreamCursor, _ sink: inout EventSink
  ) async throws -> Position {
    if case .after(let mark) = cursor {
      let isKnown = try await state.blocking { store in try store.read { try $0.has(mark) } }
      if isKnown { return mark.position }
      try await sink.send(EventText.event("reset", id: nil, Subscriber.reset(since: mark)))
    }
    let beginning = try await channel.beginning()
    try await sink.send(beginning.bytes)
    return beginning.position
  }

  static func reset(since mark: CommitMark) -> JSONValue { ["from": mark.position.json, "reset": true] }

  /// Says where the head is, if it moved without a difference; else that the stream is alive.
  private func sayPosition(
    _ channel: FeedChannel, _ position: Position, _ sink: inout EventSink
  ) async throws -> Position {
    let head = try await state.blocking { try $0.head() }
    if head > position {
      let reached = try await channel.reached()
      // A difference that this found is sent instead.
      if try await channel.next(after: position) != nil { return position }
      if reached > position {
        try await sink.send(Subscriber.position(reached, state, key))
        return reached
      }
    }
    if ContinuousClock.now >= sink.lastSent + EventStream.commentInterval { try await sink.send(EventText.comment) }
    return position
  }

  private static func position(
    _ position: Position, _ state: ServerState, _ key: FeedChannel.Key
  ) async throws -> ByteBuffer {
    try await state.blocking { store in
      try store.read { reader in
        var members: [(key: String, value: JSONValue)] = [("position", position.json)]
        // The rows outside of a window may have become more or fewer.
        if !key.isJoint, reader.position == position {
          members += try ResultEncoding(key.requests[0], hasCounts: key.hasCounts).totals(reader)
        }
        return EventText.event("position", id: try reader.mark(at: position), .object(members))
      }
    }
  }
}

/// Each commit as a difference of its own.
extension Subscriber {
  /// Sends the difference of each commit, as fast as the client reads; the walk through the journal is the stream's own.
  func runStepwise(
    _ hub: FeedHub, _ signal: StreamSignal, _ cursor: StreamCursor, _ sink: inout EventSink
  ) async throws {
    let (channel, leave) = try await hub.join(key, signal)
    do {
      let position = try await begin(channel, cursor, &sink)
      try await step(from: position, signal, &sink)
    } catch {
      await leave()
      throw error
    }
    await leave()
  }

  private func step(from start: Position, _ signal: StreamSignal, _ sink: inout EventSink) async throws {
    let encoding = FeedEncoding(requests: key.requests, hasCounts: key.hasCounts, isJoint: key.isJoint)
    let joint = try await state.blocking { store in
      try store.jointResults(of: key.requests.map { .rows(of: $0) }, from: start, everyCommit: true)
    }
    var count = 0
    while true {
      let step: FeedStep? = try await state.blocking { store in
        guard let change = try joint.update() else { return nil }
        return try store.read { reader in
          let mark = try reader.mark(at: change.to)
          return try reader.read(at: change.to) { try encoding.step(change, mark: mark, $0) }
        }
      }
      if let step {
        try await sink.send(step.bytes(from: step.from))
        count += step.differenceCount
        if count >= limit { return }
        continue
      }
      switch await signal.wait(until: sink.lastSent + EventStream.commentInterval) {
      case .end: return
      case .news: continue
      case .time: try await sink.send(EventText.comment)
      }
    }
  }
}
