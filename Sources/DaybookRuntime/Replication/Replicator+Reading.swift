import DaybookEngine
import DaybookModel

/// Taking the commits of other nodes from the stream.
///
/// Messages are read and folded without a lock of the journal; their commits are then appended in a write session, which
/// compares the place of the stream first. So a process that was slower than another one of the same node appends nothing
/// twice, and readers and live feeds see the commits like commits of any other process.
extension Replicator {
  /// How long to wait for a message that the servers reported but do not return.
  private static let showingTime = Duration.seconds(1)

  /// Appends the commits of the messages that the journal lacks.
  ///
  /// If the stream has lost commits that the journal has, they are published again.
  ///
  /// - Parameters:
  ///   - goal: How far to read. A stream that must be compared with the journal first is read to its end.
  ///   - isWriting: Whether the caller will publish next: then a payload that is not complete is awaited.
  ///   - limit: How long the servers may take for each answer; `nil` for as long as for a write.
  /// - Throws: `StoreError`: `unavailable`; `conflict` if the journal and the stream differ, or the stream belongs to
  ///   another store; `damaged` for a commit that a store cannot have made; errors of the disk.
  package func catchUp(
    until goal: ReadingGoal = .end, isWriting: Bool = false, within limit: Duration? = nil
  ) throws {
    while true {
      let arrivals = try receive(until: goal, isWriting: isWriting, within: limit)
      if try append(arrivals), arrivals.areAll { return }
    }
  }

  /// Takes what the stream has, before a write is refused for the state of the node.
  ///
  /// Without a connection the node judges by what it has.
  ///
  /// - Returns: Whether there are commits after `head` now.
  /// - Throws: The errors of ``catchUp(until:isWriting:within:)`` but `unavailable`.
  func catchUp(beyond head: Position) throws -> Bool {
    do {
      try catchUp(isWriting: true)
    } catch let error as StoreError where error.code == .unavailable {
      return false
    }
    return try keeper.files.withJournalOfWriter { try $0.head() } > head
  }

  /// Returns the commits with which a write begins; appends others that are not for its session.
  ///
  /// - Throws: The errors of ``catchUp(until:isWriting:within:)``.
  func receiveForWriting(until goal: ReadingGoal) throws -> StreamArrivals {
    while true {
      let arrivals = try receive(until: goal, isWriting: true)
      if arrivals.areAll { return arrivals }
      _ = try append(arrivals)
    }
  }

  /// Appends commits in a session of their own.
  ///
  /// - Returns: Whether the journal has them; otherwise another thread or process has moved its place.
  private func append(_ arrivals: StreamArrivals) throws -> Bool {
    if arrivals.isEmpty { return true }
    do {
      try take(arrivals)
    } catch is StreamPlaceMoved {
      return false
    }
    if arrivals.replacesAnyPlace { withState { $0.noteBeginning() } }
    return true
  }

  /// Reads messages, and returns the commits that the journal lacks.
  ///
  /// Commits that were returned before, and are not in the journal, are returned again with those that follow them.
  ///
  /// - Throws: The errors of ``catchUp(until:isWriting:within:)``.
  private func receive(
    until goal: ReadingGoal, isWriting: Bool, within limit: Duration? = nil
  ) throws -> StreamArrivals {
    try keeper.files.checkWritable()
    return try readingTurn.withLock { _ in
      var task = ReadTask(
        until: goal, isWriting: isWriting, at: .now, showingTime: min(Replicator.showingTime, options.timeLimit))
      try perform(within: limit) { input in
        try keeper.files.withJournalOfWriter { journal in
          try withState { try task.handle(input, &$0, journal, at: .now) }
        }
      }
      guard let arrivals = task.result else { preconditionFailure("A reading ended without its result.") }
      return arrivals
    }
  }

  /// Finds out whether the servers still have what they had, and whether the other nodes have the same commits.
  ///
  /// Servers that are restarted one after the other can lose messages though this node's connection lasts, and a node that
  /// publishes nothing would not learn of it. If there is a doubt, the next ``catchUp(until:isWriting:within:)`` compares the
  /// whole stream with the journal.
  ///
  /// - Throws: The errors of ``catchUp(until:isWriting:within:)``.
  func reconsider() throws {
    try readingTurn.withLock { _ in
      guard let end = withState({ $0.provenEnd }) else { return }
      let limit = followingLimit
      let current = try asking(within: limit) { try stream.state(waiting: $0) }
      let hasEnd = try end.place.created == current.created && end.has { try digest(of: $0, within: limit) }
      let reports = stream.reports
      try keeper.files.withJournalOfWriter { journal in
        try withState { try $0.reconsider(current, hasEnd: hasEnd, reports, journal) }
      }
    }
  }

  /// Returns whether the stream has the message up to which the journal has folded it.
  ///
  /// - Throws: `StoreError` with the code `unavailable`.
  package func has(_ place: StreamPlace, _ state: StreamState) throws -> Bool {
    try place.created == state.created && place.isPresent { try digest(of: $0) }
  }

  /// Returns the SHA-256 of a message, or `nil` if the stream has none of that number.
  ///
  /// - Parameter limit: How long the servers may take; `nil` for as long as for a write.
  private func digest(of message: UInt64, within limit: Duration? = nil) throws -> Digest? {
    let found = try asking(within: limit) { try stream.message(at: message, waiting: $0) }
    return found.map { Digest(hashing: $0.rawSpan) }
  }

  /// Has the whole stream compared with the journal before it is read again.
  package func doubtEnd() { withState { $0.prove(nil) } }

  /// Appends commits of the stream, and moves the place, in a session of their own.
  ///
  /// - Throws: ``StreamPlaceMoved`` if the place is not where they begin; `StoreError` with the code `conflict` if the
  ///   journal has another commit at a position, which is recorded.
  func take(_ arrivals: StreamArrivals) throws {
    let appending = StreamAppending(arrivals)
    try writer.run(adding: appending) { _ in }
    guard let fork = appending.fork else { return }
    keeper.files.options.logger?.critical(
      "the journal and the stream differ", metadata: ["store": "\(keeper.files.path)", "fork": "\(fork)"])
    throw fork.error
  }
}
