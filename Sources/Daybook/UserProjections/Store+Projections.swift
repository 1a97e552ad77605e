import DaybookModel
import LMDB

extension Store {
  /// How a projection is getting on.
  public struct ProjectionStatus: Hashable, Sendable {
    /// The projection's name.
    public let name: String
    /// Of the rows that are read.
    public let version: Int
    /// The last commit that it has taken in.
    public let checkpoint: Position
    /// How many commits it is behind the head.
    public let lag: UInt64
    /// How many events were set aside or left out.
    public let quarantineCount: Int
    /// The event that it has stopped before.
    public let stop: QuarantinedEvent?
    /// How far a rebuild is that was begun and has not come to its end.
    public let rebuild: Position?
    /// Whether this process knows the projection.
    public let isKnown: Bool
  }

  /// How the projections of users are getting on, by name: those that the store has rows of, and those that this process
  /// knows.
  ///
  /// - Throws: `StoreError`.
  public func projections() throws -> [ProjectionStatus] {
    try checkOpen()
    do {
      return try healing { try withSnapshots { try projections(in: $0, head: $1.head()) } }
    } catch {
      throw StoreError.translating(error)
    }
  }

  func projections(in snapshot: ProjectionsSnapshot, head: Position) throws -> [ProjectionStatus] {
    let names = Set(try snapshot.opened.recordNames(in: snapshot.snapshot) + options.projections.map(\.name))
    return try names.sorted().map { try status(of: $0, in: snapshot, head: head) }
  }

  /// Takes in what a projection has not seen, on this thread.
  ///
  /// When this returns, it has taken in all that was committed before the call, whoever did it.
  ///
  /// - Parameters:
  ///   - name: One that this process knows.
  ///   - progress: Told now and then how far it is. If it throws, or the task is cancelled, the work ends between two
  ///     transactions, and goes on from there the next time.
  /// - Throws: `StoreError`: `notFound` if this process does not know it, `projectionStopped` if an event stops it,
  ///   `newerFormat` if the store has a later version of it; `CancellationError`; what `progress` throws.
  /// - Complexity: That of the projection, for each event that is new.
  public func catchUp(_ name: String, progress: ((Progress) throws -> Void)? = nil) throws {
    try work(on: name, .current, "catching up with", progress)
  }

  /// Makes the rows of a projection anew, beside those that are there, and then puts them in their place.
  ///
  ///     try store.rebuild(projection: "activity") { print($0.completed, $0.total ?? 0) }
  ///
  /// Readers go on with the old rows until the last moment, writers wait for no longer than for another commit now and
  /// then, and effects are off. If it ends early (the task is cancelled, `progress` throws, the process is killed), what
  /// was made is kept, and the next call goes on from there; ``discardRebuild(of:)`` throws it away.
  ///
  /// - Parameters:
  ///   - name: One that this process knows.
  ///   - progress: Told now and then how far it is.
  /// - Throws: As ``catchUp(_:progress:)``.
  public func rebuild(projection name: String, progress: ((Progress) throws -> Void)? = nil) throws {
    guard let projection = knownProjection(name) else { throw StoreError(unknownProjection: name) }
    do {
      // Rows that were never made are not made twice; and those that are there are followed, not overtaken. If they have
      // stopped, the new ones may get further.
      try run(projection, .current)
    } catch {
      throw StoreError.translating(error)
    }
    try work(on: name, .rebuilt, "rebuilding", progress)
    try work(on: name, .current, "catching up with", nil)
  }

  /// Throws away what a rebuild made that has not come to its end.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the store has no such projection.
  public func discardRebuild(of name: String) throws {
    try changeRecord(of: name) { record, transaction in
      guard let next = record.next else { return }
      record.next = nil
      let table = ProjectionRecord.tableName(of: name, next)
      if let table = try transaction.openTable(table, create: false) { try transaction.drop(table) }
    }
  }

  private func work(
    on name: String, _ goal: ProjectionBatch.Goal, _ verb: String, _ progress: ((Progress) throws -> Void)?
  ) throws {
    guard let projection = knownProjection(name) else { throw StoreError(unknownProjection: name) }
    do {
      let outcome = try run(projection, goal) { outcome in
        try Task.checkCancellation()
        try progress?(
          Progress(
            activity: "\(verb) \(name)", completed: outcome.checkpoint.number, total: outcome.target.number,
            unit: "commits"))
      }
      if let stop = outcome.stop { throw StoreError(stop, of: name) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Changes what is said of a projection beside its rows.
  func changeRecord(
    of name: String, _ change: (inout ProjectionRecord, inout WriteTransaction) throws -> Void
  ) throws {
    try checkOpen()
    do {
      while true {
        do {
          return try healing {
            let opened = currentProjections
            var transaction = try beginWrite(to: opened)
            guard try opened.recordNames(in: transaction.snapshot).contains(name) else {
              throw StoreError(missingProjection: name)
            }
            var record = try opened.record(of: name, in: transaction.snapshot)
            try change(&record, &transaction)
            try transaction.put(ProjectionRecord.key(of: name), record.bytes, in: opened.stateTable)
            try transaction.commit()
            feeds.noteCommit()
          }
        } catch let error as LMDBError where error.isMapFull {
          try growMap(after: error)
        }
      }
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func status(of name: String, in snapshot: ProjectionsSnapshot, head: Position) throws -> ProjectionStatus {
    let known = knownProjection(name)
    let record = try snapshot.record(of: name)
    let live = record.live
    let checkpoint = live?.checkpoint ?? .empty
    return ProjectionStatus(
      name: name, version: live.map { Int(clamping: $0.version) } ?? known?.version ?? 0, checkpoint: checkpoint,
      lag: head.number - min(head.number, checkpoint.number),
      quarantineCount: Int(clamping: live?.quarantineCount ?? 0),
      stop: (live?.stop ?? record.next?.stop).map {
        QuarantinedEvent(address: $0.address, reason: $0.reason, state: .stopped)
      },
      rebuild: record.next?.checkpoint, isKnown: known != nil)
  }
}

extension StoreError {
  init(unknownProjection name: String) {
    self.init(
      .notFound, "This program does not know a projection “\(name)”.",
      advice: "Give it in the options of the store, or use the program that has it.")
  }

  init(_ stop: ProjectionRecord.Stop, of name: String) {
    self.init(
      .projectionStopped, "The projection \(name) has stopped at event \(stop.address): \(stop.reason)",
      advice: "Skip the event, or mend the projection and retry it.")
  }
}
