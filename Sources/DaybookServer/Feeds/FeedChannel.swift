import Daybook
import DaybookModel
import NIOCore

/// Requests that are followed once for all of their subscribers.
///
/// A task of the channel receives each step of the requests from the store, encodes it, and wakes the subscribers. A
/// subscriber holds only its position: it finds the step that begins there, which is the same bytes for all. One that
/// reads slowly finds no such step any more, and gets one difference for everything that it missed.
actor FeedChannel {
  /// What the subscribers have in common.
  struct Key: Hashable, Sendable {
    let requests: [FetchRequest]
    let hasCounts: Bool
    let isJoint: Bool
  }

  private let state: ServerState
  private let encoding: FeedEncoding
  private let joint: JointResults
  /// The last steps, each of which begins where the one before ends.
  private var steps: [FeedStep] = []
  /// The position to which the last step of the store led.
  private var position: Position
  /// The end of the last of ``steps``, which are all that is encoded; only numbers of rows changed since.
  private var end: Position
  /// Steps whose predecessors are not encoded yet.
  private var early: [Position: FeedStep] = [:]
  /// The state at a position, for subscribers that begin there.
  private var kept: (position: Position, bytes: ByteBuffer)?
  private var signals: [ObjectIdentifier: StreamSignal] = [:]
  private var failure: (any Error)?
  private var pump: Task<Void, Never>?

  /// The steps that are kept for subscribers that have not received them yet.
  private static let keptCount = 16

  /// Follows requests from the head on.
  ///
  /// - Throws: `StoreError` with the code `badRequest` for a request that names what the model lacks.
  init(_ key: Key, _ state: ServerState) async throws {
    self.state = state
    let encoding = FeedEncoding(requests: key.requests, hasCounts: key.hasCounts, isJoint: key.isJoint)
    self.encoding = encoding
    let (joint, start) = try await state.blocking { store in
      for request in key.requests { try store.read { try $0.requireEntity(request.entity) } }
      let start = try store.head()
      return (try store.jointResults(of: encoding.followed, from: start), start)
    }
    (self.joint, position, end) = (joint, start, start)
  }

  /// Begins to receive steps.
  func start() {
    guard pump == nil else { return }
    pump = Task { [weak self, joint] in
      do {
        for try await change in joint.changes { try await self?.take(change) }
      } catch {
        await self?.fail(error)
      }
    }
  }

  /// Ends the task; the requests are followed no longer.
  func stop() {
    pump?.cancel()
  }

  func add(_ signal: StreamSignal) { signals[ObjectIdentifier(signal)] = signal }

  func remove(_ signal: StreamSignal) { signals[ObjectIdentifier(signal)] = nil }

  private func fail(_ error: any Error) {
    failure = error
    for signal in signals.values { signal.noteNews() }
  }

  private func take(_ change: JointChange) async throws {
    guard change.from < change.to else { return }
    let encoding = encoding
    let step = try await state.blocking { store in
      try store.read { reader in
        let mark = try reader.mark(at: change.to)
        if reader.position == change.to { return try encoding.step(change, mark: mark, reader) }
        return try reader.read(at: change.to) { try encoding.step(change, mark: mark, $0) }
      }
    }
    early[step.from] = step
    while let next = early.removeValue(forKey: position) {
      position = next.to
      guard !next.events.isEmpty else { continue }
      steps.append(FeedStep(from: end, mark: next.mark, events: next.events))
      end = next.to
      if steps.count > FeedChannel.keptCount { steps.removeFirst() }
    }
    for signal in signals.values { signal.noteNews() }
  }

  /// What a subscriber receives next.
  struct Delivery: Sendable {
    let bytes: ByteBuffer
    let position: Position
    let differenceCount: Int
  }

  /// Returns the state at a position that the channel has reached.
  func beginning() async throws -> Delivery {
    if let failure { throw failure }
    if let kept, kept.position == position {
      return Delivery(bytes: kept.bytes, position: position, differenceCount: 0)
    }
    let (encoding, position) = (encoding, position)
    let bytes = try await state.blocking { store in
      try store.read { try FeedChannel.states(encoding, at: position, $0) }
    }
    kept = (position, bytes)
    return Delivery(bytes: bytes, position: position, differenceCount: 0)
  }

  private static func states(
    _ encoding: FeedEncoding, at position: Position, _ reader: borrowing StoreReader
  ) throws -> ByteBuffer {
    let mark = try reader.mark(at: position)
    if reader.position == position { return try states(encoding, mark, reader) }
    return try reader.read(at: position) { try states(encoding, mark, $0) }
  }

  private static func states(
    _ encoding: FeedEncoding, _ mark: CommitMark, _ reader: borrowing StoreReader
  ) throws -> ByteBuffer {
    var buffer = ByteBuffer()
    for number in encoding.requests.indices {
      let isLast = number == encoding.requests.count - 1
      var part = EventText.event("state", id: isLast ? mark : nil, try encoding.state(of: number, reader))
      buffer.writeBuffer(&part)
    }
    return buffer
  }

  /// Returns what follows a position that a subscriber has, or `nil` if there is nothing yet.
  ///
  /// - Throws: `StoreError` if the requests cannot be followed any more, because a later model lacks what they name.
  func next(after given: Position) async throws -> Delivery? {
    if let failure { throw failure }
    guard given < end else { return nil }
    // From the beginning of the step up to `given` nothing happened, because the subscriber was told so.
    if let index = steps.firstIndex(where: { $0.from <= given && given < $0.to }) {
      return delivery(of: steps[index], from: given)
    }
    return try await missed(since: given, through: end)
  }

  private func delivery(of step: FeedStep, from given: Position) -> Delivery {
    Delivery(bytes: step.bytes(from: given), position: step.to, differenceCount: step.differenceCount)
  }

  /// Returns one difference of each request for all that a subscriber has missed.
  private func missed(since given: Position, through end: Position) async throws -> Delivery {
    let encoding = encoding
    let step = try await state.blocking { store in
      try store.read { reader in
        let mark = try reader.mark(at: end)
        if reader.position == end { return try FeedChannel.step(encoding, since: given, mark, present: reader, reader) }
        return try reader.read(at: end) {
          try FeedChannel.step(encoding, since: given, mark, present: reader, $0)
        }
      }
    }
    return delivery(of: step, from: given)
  }

  private static func step(
    _ encoding: FeedEncoding, since given: Position, _ mark: CommitMark, present: borrowing StoreReader,
    _ reader: borrowing StoreReader
  ) throws -> FeedStep {
    var events: [FeedStep.Event] = []
    for (number, request) in encoding.requests.enumerated() {
      let change = try present.difference(of: request, from: given, to: mark.position)
      if change.isReset {
        let state = try encoding.state(of: number, reader)
        events.append(.reset(request: encoding.isJoint ? number : nil, state: state))
      } else if !change.isEmpty {
        events.append(.difference(try encoding.difference(change, number, request, total: nil, reader)))
      }
    }
    return FeedStep(from: given, mark: mark, events: events)
  }

  /// Returns the position up to which the store has nothing else for the requests, after asking it.
  func reached() async throws -> Position {
    if let failure { throw failure }
    let joint = joint
    let (change, reached) = try await state.blocking { _ in
      let change = try joint.update()
      return (change, joint.position)
    }
    guard let change else { return max(reached, position) }
    try await take(change)
    return position
  }
}
