#if Server

import Daybook
import DaybookModel

/// What all streams of one subject share: one place in the store's feed, and the last encoded steps.
///
/// A task follows the store and encodes each step once. A stream at the last position takes that step; one that read
/// slowly is led to the head by a step of its own, which streams at the same position share too. Nothing is queued for a
/// stream, and no transaction is held while the topic waits.
final class FeedTopic: Sendable {
  let subject: FeedSubject
  private let store: Store
  /// The time that one step may take to compute.
  private let timeLimit: Duration
  private let state: Locked<State>

  fileprivate struct State {
    /// The positions since the last step, between which nothing changed, up to the last one that was examined.
    var quiet: ClosedRange<Position>
    /// What a stream has for which everything was examined.
    var head: FeedCursor
    /// Where the time counts: what streams may have for which nothing changed since the last step, the head included.
    ///
    /// Positions and times between them do not count: what a commit and the time did in either order is not known.
    var places: [FeedPlace] = []
    /// The numbers of commits that projections lack, by name.
    var behind: [String: UInt64] = [:]
    /// The last steps, the oldest first, with the times when they were published.
    var steps: [(step: FeedStep, published: ContinuousClock.Instant)] = []
    var byteCount = 0
    /// Steps to the head from earlier cursors, by these.
    var catchUps: [FeedCursor: Task<CatchUp, any Error>] = [:]
    /// The last state that was encoded, or is being encoded, with the head at that time.
    var present: (head: FeedCursor, since: ContinuousClock.Instant, task: Task<FeedStep, any Error>)?
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0
    var source: StepSource?
    var task: Task<Void, Never>?
    var failure: (any Error)?
  }

  /// A stream that waits.
  fileprivate struct Waiter {
    let continuation: CheckedContinuation<Void, Never>
    /// When the stream has something to send even without a step.
    let deadline: ContinuousClock.Instant
    /// When the stream states its position if it has moved from this one.
    let positionDeadline: ContinuousClock.Instant
    let stated: Position
    let behind: [String: UInt64]
  }

  /// A step to the head, or the cursor up to which no step exists.
  struct CatchUp: Sendable {
    let step: FeedStep?
    let cursor: FeedCursor
  }

  /// What a topic has for a stream at a position.
  enum Next {
    case step(FeedStep)
    /// Nothing yet; the cursor up to which nothing changed, and what projections lack.
    case nothing(FeedCursor, behind: [String: UInt64])
    /// Steps were dropped, or are computed for the stream alone.
    case missed
  }

  /// The most steps, and bytes of steps, that are kept for streams which take each commit and are a little behind.
  ///
  /// The last step is kept whatever its size, and alone where streams take no other one. Each is dropped after
  /// ``lifetime``, so a topic has the steps of two seconds at most.
  private static let maximumStepCount = 256
  private static let maximumByteCount = 4 << 20
  private static let maximumCatchUpCount = 16
  fileprivate static let maximumPlaceCount = 1_024
  /// How long an encoded state serves further streams, and the last steps those that are behind.
  static let lifetime = Duration.seconds(2)

  /// - Parameters:
  ///   - head: The position from which on the topic follows the store.
  ///   - timeLimit: The time that one step may take to compute; if it takes longer, the topic ends.
  init(_ subject: FeedSubject, of store: Store, from head: FeedCursor, within timeLimit: Duration) {
    self.subject = subject
    self.store = store
    self.timeLimit = timeLimit
    state = Locked(State(quiet: head.position...head.position, head: head, places: [FeedPlace(head)]))
  }

  /// Begins to follow the store.
  func start() {
    let start = state.withLock { $0.head }
    let task = Task(executorPreference: ThreadPoolExecutor.shared) { [self] in await follow(from: start) }
    state.withLock { $0.task = task }
  }

  /// Ends the topic.
  func close() {
    let (task, waiters) = state.withLock { state in
      for catchUp in state.catchUps.values { catchUp.cancel() }
      state.present?.task.cancel()
      (state.catchUps, state.present, state.source) = ([:], nil, nil)
      return (state.task, state.takeWaiters())
    }
    task?.cancel()
    for waiter in waiters { waiter.resume() }
  }

  private func follow(from start: FeedCursor) async {
    do {
      let source = subject.source(store, from: start)
      state.withLock { $0.source = source }
      while !Task.isCancelled {
        while !Task.isCancelled, let step = try within(source.poll) {
          publish(step)
          // All topics and requests share a few threads. Where commits come faster than steps are made, there is always
          // another step, and a topic that kept its thread for it would leave all others without one.
          await Task.yield()
        }
        try move(to: source.cursor())
        await source.wait()
      }
    } catch {
      let waiters = state.withLock { state in
        state.failure = error
        return state.takeWaiters()
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  /// Calls a closure within the time of one step, or until the task is cancelled.
  private func within<Result>(_ body: () throws -> Result) throws -> Result {
    try ServerState.within(timeLimit, isCancelled: { Task.isCancelled }, body)
  }

  private func publish(_ step: FeedStep) {
    let waiters = state.withLock { state in
      var step = step
      let end = step.end.position
      // Commits between two steps changed nothing, if each commit is a step; a reset leads over several.
      let isOneCommit =
        subject.isStepwise && step.end.stamp == state.head.stamp && !step.events.contains { $0.kind == .reset }
      let last = isOneCommit ? Position(end.number - 1) : state.quiet.upperBound
      step.starts = state.quiet.lowerBound...max(last, state.quiet.lowerBound)
      step.rows = state.head.stamp
      if subject.readsTime { step.places = state.places }
      state.places = [FeedPlace(step.end)]
      state.steps.append((step, .now))
      state.byteCount += step.byteCount
      let maximumStepCount = subject.isStepwise ? Self.maximumStepCount : 1
      while state.steps.count > 1,
        state.steps.count > maximumStepCount || state.byteCount > Self.maximumByteCount
      {
        state.byteCount -= state.steps.removeFirst().step.byteCount
      }
      state.quiet = end...end
      state.head = step.end
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Notes that nothing changed up to a cursor.
  private func move(to cursor: FeedCursor) throws {
    let head = state.withLock { $0.head }
    let areReplaced = cursor.stamp != head.stamp
    guard cursor.position > head.position || cursor.time != head.time || areReplaced else { return }
    let end = try store.read { try $0.completed(cursor) }
    // Equal rows have taken the place of the former ones: the streams need another cursor, and nothing else.
    if areReplaced { return publish(.position(end)) }
    state.withLock { state in
      state.quiet = state.quiet.lowerBound...end.position
      state.head = end
      state.places.append(FeedPlace(end))
      if state.places.count > Self.maximumPlaceCount { state.places.removeFirst() }
    }
  }
}

extension FeedTopic {
  /// Returns what the topic has for a stream with a cursor.
  ///
  /// - Throws: The error that ended the topic.
  func next(after cursor: FeedCursor) throws -> Next {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      if state.isQuiet(after: cursor) { return .nothing(state.head, behind: state.behind) }
      // A stream that reads slowly gets one step for all that it missed, except where each commit is a step.
      let step = state.steps.first { $0.step.leadsOn(from: cursor) }
      return step.map { .step($0.step) } ?? .missed
    }
  }

  /// Returns the step from an earlier cursor to the head.
  func catchUp(from cursor: FeedCursor) async throws -> CatchUp {
    let task = state.withLock { state -> Task<CatchUp, any Error> in
      if let task = state.catchUps[cursor] { return task }
      if state.catchUps.count >= Self.maximumCatchUpCount { state.catchUps.removeAll() }
      let task = Task(executorPreference: ThreadPoolExecutor.shared) { [self] in
        let source = subject.source(store, from: cursor)
        let step = try within(source.poll)
        return CatchUp(step: step, cursor: step?.end ?? source.cursor())
      }
      state.catchUps[cursor] = task
      return task
    }
    let result = await task.result
    // A later stream at this position needs a step to a later head.
    state.withLock { state in
      guard state.catchUps[cursor] == task else { return }
      let isLatest = (try? result.get()).map { state.isQuiet(after: $0.cursor) } ?? false
      // The topic goes to the time to which the step leads.
      if !isLatest, subject.readsTime { state.source?.wake() }
      if !isLatest { state.catchUps[cursor] = nil }
    }
    return try result.get()
  }

  /// Returns the whole state as a step, at the head of the time of the call or later.
  func present() async throws -> FeedStep {
    let head = try await ThreadPoolExecutor.run { [store, subject] in
      try store.read { try subject.cursor(in: $0) }
    }
    let task = state.withLock { state -> Task<FeedStep, any Error> in
      if let present = state.present, present.head.stamp == head.stamp,
        present.head.position >= head.position
          || state.isUnchanged(from: present.head.position, to: head.position)
      {
        return present.task
      }
      let task = Task(executorPreference: ThreadPoolExecutor.shared) { [self] in
        try within {
          try store.read { reader in
            let end = try subject.cursor(in: reader)
            return try subject.reading(reader) { reader in
              FeedStep(
                starts: end.position...end.position, end: end, events: try subject.state(in: reader, at: end.time))
            }
          }
        }
      }
      state.present = (head, .now, task)
      return task
    }
    do {
      return try await task.value
    } catch {
      state.withLock { if $0.present?.task == task { $0.present = nil } }
      throw error
    }
  }

  /// Waits until there is a step, the topic ends, a deadline is reached, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - cursor: What the stream has.
  ///   - stated: The position that the stream stated last.
  ///   - behind: What projections lacked when it was stated.
  ///   - deadline: When to return in any case.
  ///   - positionDeadline: When to return if the topic has moved from the stated position.
  ///   - note: Called with the number of the wait, and returns whether to wait; called with `nil` after it.
  func wait(
    after cursor: FeedCursor, stated: Position, behind: [String: UInt64], until deadline: ContinuousClock.Instant,
    positionDeadline: ContinuousClock.Instant, _ note: @Sendable (Int?) -> Bool
  ) async {
    await withCheckedContinuation { continuation in
      let number = state.withLock { state -> Int? in
        guard state.failure == nil, state.isQuiet(after: cursor) else { return nil }
        state.nextWaiter += 1
        state.waiters[state.nextWaiter] = Waiter(
          continuation: continuation, deadline: deadline, positionDeadline: positionDeadline, stated: stated,
          behind: behind)
        return state.nextWaiter
      }
      guard let number else { return continuation.resume() }
      // The stream may have been ended before it could be woken.
      if !note(number) { wake(number) }
    }
    _ = note(nil)
  }

  /// Examines the store again; at the same position the time may be a later one.
  func examine() { state.withLock { $0.source }?.wake() }

  /// Ends a wait.
  func wake(_ number: Int) {
    state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
  }

  /// Wakes the streams whose deadline is reached, and examines commits that concern no stream.
  ///
  /// A state is kept for the streams that begin together, and steps for those that are a little behind, not as long as the
  /// topic: they may have megabytes. A stream that needs an older step gets one of its own.
  func tick(_ now: ContinuousClock.Instant, head: Position) {
    let readsRows = state.withLock { $0.head.stamp != .stored }
    // A topic whose state cannot be read ends by itself.
    let behind = readsRows ? try? store.read { try subject.reading($0) { $0.lag?.behind } } : nil
    let waiters = state.withLock { state in
      state.behind = behind ?? [:]
      if let present = state.present, now - present.since > Self.lifetime { state.present = nil }
      while let (step, published) = state.steps.first, now - published > Self.lifetime {
        state.byteCount -= step.byteCount
        state.steps.removeFirst()
      }
      // Rows may be replaced without a commit.
      if state.quiet.upperBound < head || readsRows { state.source?.wake() }
      let due = state.waiters.filter { _, waiter in
        waiter.deadline <= now
          || (waiter.positionDeadline <= now
            && (state.quiet.upperBound > waiter.stated || state.behind != waiter.behind))
      }
      for number in due.keys { state.waiters[number] = nil }
      return due.values.map(\.continuation)
    }
    for waiter in waiters { waiter.resume() }
  }

  /// What the topic keeps in memory: whether a state, and how many steps, with their bytes.
  var kept: (state: Bool, stepCount: Int, stepByteCount: Int) {
    state.withLock { ($0.present != nil, $0.steps.count, $0.byteCount) }
  }

  /// What a stream has for which the topic has examined the store.
  var head: FeedCursor { state.withLock { $0.head } }
}

fileprivate extension FeedTopic.State {
  mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
    // Steps from earlier positions lead to an earlier head now.
    catchUps.removeAll()
    defer { waiters.removeAll(keepingCapacity: true) }
    return waiters.values.map(\.continuation)
  }

  /// Whether nothing changed after a cursor.
  func isQuiet(after cursor: FeedCursor) -> Bool {
    guard cursor.stamp == head.stamp, cursor.position >= quiet.lowerBound else { return false }
    return head.time == nil || places.contains(FeedPlace(cursor))
  }

  func isUnchanged(from: Position, to: Position) -> Bool { quiet.lowerBound <= from && quiet.upperBound >= to }
}

#endif
