import DaybookEngine
import DaybookModel
import DaybookQuery
import LMDB

/// Wakes the followers of a store when there is something new for them.
///
/// While anything is followed, one thread sleeps until this process commits or another process writes to the store's
/// files. The thread then examines the new commits once, finds the requests that they may touch, and wakes the
/// followers of these requests. Followers compute their differences on demand: nothing is queued, so a follower that
/// never reads costs nothing.
///
/// While few requests are followed, a commit of this process wakes their followers itself, before the thread has examined
/// it: the way over the thread takes longer than the computation of a difference. The differences of a small commit are
/// computed while the disk flushes it, on another thread, so that they are there when the commit is (``ChangePreparation``).
///
/// All parts of a store that wait for commits wait for its signal, by a ``Wakeup`` of their own: feeds and live results,
/// the worker of the projections, and callers that wait for a projection. Only its thread waits for the files.
package final class CommitNotifier: Sendable {
  private struct State {
    var scopes: [RequestScope: FollowedScope]
    /// The followers of the journal itself.
    var journalFollowers: [ObjectIdentifier: Wakeup] = [:]
    /// The followers of user projections, which also change without a commit.
    var projectionFollowers: [ObjectIdentifier: Wakeup] = [:]
    /// The followers of the clock, which learn of commits in another way.
    var clockFollowers: [ObjectIdentifier: Wakeup] = [:]
    /// Whether a file that the signal watches has been replaced by another one.
    var isSignalStale = false
    var isClosed = false

    var isIdle: Bool {
      scopes.values.allSatisfy(\.requests.isEmpty) && journalFollowers.isEmpty && projectionFollowers.isEmpty
        && clockFollowers.isEmpty
    }

    func wakeAll() {
      for scope in scopes.values { scope.wakeAll() }
      for wakeup in journalFollowers.values { wakeup.signal() }
      for wakeup in projectionFollowers.values { wakeup.signal() }
    }
  }

  /// A caller that holds the lock takes no other lock except the locks of ``Followers``, ``Wakeup``, ``Worker``, of
  /// the inverse layers, of the catalogs, and of the members below.
  private let state: Locked<State>
  /// The requests for stored objects alone, which are always there.
  private let stored = FollowedScope(.stored)
  /// The requests that a commit of this process may touch, for waking their followers at once; `nil` for too many.
  ///
  /// It has a lock of its own, so that a writer does not wait until the thread has examined an earlier commit.
  private let direct = Locked<DirectFollowers?>(nil)
  /// Wakes the thread; `nil` while nothing is followed.
  ///
  /// It has a lock of its own, so that a writer does not wait until the thread has examined an earlier commit.
  private let signal = Locked<FileSignal?>(nil)
  private let worker = Worker("daybook feeds")
  /// The commit that is being flushed, until its writer notes it.
  private let flushing = Locked<ChangePreparation?>(nil)
  /// The commit that is being flushed, until the thread takes it.
  private let preparation = Locked<ChangePreparation?>(nil)
  private let preparer = Worker("daybook changes")
  /// When the time changes the rows of followed requests.
  private let schedule: TimeSchedule
  private let keeper: ProjectionKeeper
  private let watch: @Sendable ([String]) throws -> FileSignal

  /// How long the thread sleeps if nothing wakes it, in milliseconds.
  private static let idleTime: Int32 = 10_000

  /// - Parameters:
  ///   - store: The store whose commits are examined.
  ///   - watch: Creates the signal that reports writes to files; tests let it fail.
  init(
    of keeper: ProjectionKeeper,
    watch: @escaping @Sendable ([String]) throws -> FileSignal = { try FileSignal(watching: $0) }
  ) {
    self.keeper = keeper
    self.watch = watch
    let signal = signal
    schedule = TimeSchedule { signal.withLock { $0 }?.wake() }
    state = Locked(State(scopes: [.stored: stored]))
  }

  /// Starts to follow requests, which are read together.
  ///
  /// - Throws: `StoreError`: `badRequest` if a request names what the model lacks, `notFound` if one reaches a projection
  ///   that has no rows yet; `LMDBError` if the process has no descriptors left. Then nothing is followed.
  package func follow(_ requests: [FetchRequest], _ wakeup: Wakeup) throws -> [LiveRequest] {
    try keeper.read { try follow(requests, wakeup, in: $0) }
  }

  /// Starts to follow requests, which are read together, or returns `nil` if another writer keeps this process from making
  /// rows that do not exist yet.
  ///
  /// - Throws: As ``follow(_:_:)``, but no error for these rows.
  package func followIfBuilt(_ requests: [FetchRequest], _ wakeup: Wakeup) throws -> [LiveRequest]? {
    try keeper.read { reader in
      do {
        return try follow(requests, wakeup, in: reader)
      } catch is AwaitedRows {
        return nil
      }
    }
  }

  private func follow(
    _ requests: [FetchRequest], _ wakeup: Wakeup, in reader: borrowing StoreReader
  ) throws -> [LiveRequest] {
    let scope = try reader.scope(of: requests.map(\.entity))
    if let derived = try reader.derived(in: scope) {
      return try follow(requests, wakeup, in: scope, derived, head: reader.position)
    }
    return try follow(requests, wakeup, in: scope, reader, head: reader.position)
  }

  private func follow(
    _ requests: [FetchRequest], _ wakeup: Wakeup, in scope: RequestScope, _ reader: borrowing StoreReader,
    head: Position
  ) throws -> [LiveRequest] {
    try state.withLock { state in
      // The seen position is valid while anything is followed; the first follower sets it.
      if state.isIdle { stored.begin(at: head) }
      let followed = state.scopes[scope] ?? FollowedScope(scope)
      if followed.requests.isEmpty, !scope.isStored { followed.begin(at: reader.position, stamp: reader.stamp) }
      // If a request cannot be added, the thread ends by itself as nothing is followed.
      try start(&state)
      state.scopes[scope] = followed
      defer {
        if followed.requests.isEmpty, !scope.isStored { state.scopes[scope] = nil }
        updateDirectFollowers(state)
      }
      return try followed.follow(requests, wakeup, in: reader, of: keeper, schedule)
    }
  }

  package func unfollow(_ live: LiveRequest, _ wakeup: Wakeup) {
    state.withLock { state in
      guard let scope = state.scopes[live.scope], scope.unfollow(live, wakeup) else { return }
      if scope.requests.isEmpty, !scope.scope.isStored { state.scopes[live.scope] = nil }
      updateDirectFollowers(state)
      if state.isIdle { wakeThread() }
    }
  }

  /// Starts to follow the journal.
  package func followJournal(_ wakeup: Wakeup) throws {
    try add(wakeup, to: \.journalFollowers)
  }

  package func unfollowJournal(_ wakeup: Wakeup) { remove(wakeup, from: \.journalFollowers) }

  /// Starts to follow the user projections: any change in the store signals the wakeup.
  package func followProjections(_ wakeup: Wakeup) throws {
    try add(wakeup, to: \.projectionFollowers)
  }

  package func unfollowProjections(_ wakeup: Wakeup) { remove(wakeup, from: \.projectionFollowers) }

  /// Starts to follow the clock; see ``wake(_:at:)``.
  package func followClock(_ wakeup: Wakeup) throws {
    try add(wakeup, to: \.clockFollowers)
  }

  package func unfollowClock(_ wakeup: Wakeup) {
    schedule.set(nil, for: wakeup)
    remove(wakeup, from: \.clockFollowers)
  }

  /// Signals the wakeup of a follower of the clock at a moment, and no more at the moment before; never for `nil`.
  package func wake(_ wakeup: Wakeup, at moment: Timestamp?) { schedule.set(moment, for: wakeup) }

  private typealias Wakeups = WritableKeyPath<State, [ObjectIdentifier: Wakeup]>

  private func add(_ wakeup: Wakeup, to followers: Wakeups) throws {
    let head = try keeper.read { $0.position }
    try state.withLock { state in
      if state.isIdle { stored.begin(at: head) }
      try start(&state)
      state[keyPath: followers][ObjectIdentifier(wakeup)] = wakeup
    }
  }

  private func remove(_ wakeup: Wakeup, from followers: Wakeups) {
    state.withLock { state in
      state[keyPath: followers][ObjectIdentifier(wakeup)] = nil
      if state.isIdle { wakeThread() }
    }
  }

  /// The last commit that was examined: all changes of stored objects up to this commit have been noted.
  var seen: Position { stored.seen.withLock { $0 } }

  /// The numbers of spans with changes that are kept for each request.
  var spanCounts: [Int] {
    state.withLock { $0.scopes.values.flatMap(\.requests.values).map(\.request.followers.spanCount) }
  }

  /// Whether the thread watches the files, which it does only while something is followed.
  var isAwake: Bool { signal.withLock { $0 != nil } }

  /// Whether nothing is followed.
  var isIdle: Bool { state.withLock { $0.isIdle } }

  /// The requests that have followers.
  package var openRequests: [FetchRequest] { state.withLock { $0.scopes.values.flatMap(\.requests.keys) } }

  /// Begins to compute what a commit changes in the requests with followers that the writer wakes.
  ///
  /// - Parameters:
  ///   - commits: The commits that the disk is about to flush.
  ///   - reader: Reads the state after them in the writer's transaction, while this call runs.
  ///   - changes: Returns what the last commit changed in a scope; see ``ProjectionsWriter/changes(by:in:)``.
  /// - Returns: `nil` if there are no such requests, or the commits are several, or more than a small one.
  @discardableResult
  func prepareChanges(
    by commits: [PendingCommit], in reader: Reader,
    _ changes: (PendingCommit, RequestScope) throws -> CommitChanges?
  ) -> ChangePreparation? {
    // What was prepared for a commit that failed is never confirmed.
    flushing.withLock { $0 = nil }
    guard commits.count == 1, let direct = direct.withLock({ $0 }) else { return nil }
    let projections = keeper.currentProjections
    guard reader.snapshot.environment === projections.environment else { return nil }
    let requests = direct.requests(touchedBy: commits)
    let commit = commits[0]
    var deltas: [RequestScope: CommitDelta] = [:]
    for scope in Set(requests.map(\.scope)) {
      // Damage is met again by the followers, who can report it.
      if let changes = try? changes(commit, scope) { deltas[scope] = CommitDelta(changes) }
    }
    guard !deltas.isEmpty else { return nil }
    let made = ChangePreparation(
      deltas, at: commit.header.position, of: requests.filter { deltas[$0.scope] != nil }, in: keeper, projections)
    flushing.withLock { $0 = made }
    preparation.withLock { $0 = made }
    preparer.start {
      self.prepare()
      return true
    }
    return made
  }

  /// Confirms what was prepared for the commits that a transaction of the journal has made, if anything was.
  func confirmChanges(in transaction: Int) { flushing.withLock { $0 }?.confirm(in: transaction) }

  /// Computes the changes of the commit that is being flushed.
  private func prepare() {
    guard let preparation = preparation.withLock({ $0.take() }) else { return }
    for live in preparation.requests { live.prepare(preparation) }
  }

  /// Wakes the followers that commits of this process may concern, and the thread.
  ///
  /// Followers that have their difference since the flush are awake.
  ///
  /// - Parameter commits: The new commits; empty for a change of user projections.
  func noteCommits(_ commits: [PendingCommit]) {
    for live in requestsToWake(after: commits) { live.followers.wake() }
    wakeThread()
  }

  private func requestsToWake(after commits: [PendingCommit]) -> [LiveRequest] {
    guard let first = commits.first else { return [] }
    // What was prepared for a commit that failed has no transaction.
    if let flushed = flushing.withLock({ $0.take() }), flushed.isConfirmed,
      flushed.position == first.header.position
    {
      return flushed.end()
    }
    return direct.withLock { $0 }?.requests(touchedBy: commits) ?? []
  }

  private func updateDirectFollowers(_ state: State) {
    let requests = state.scopes.values.lazy.flatMap(\.requests.values).map {
      // What a projection makes of a commit is not known before.
      DirectFollowers.Request(live: $0.request, triggers: $0.request.scope.isStored ? $0.entry?.triggers : nil)
    }
    let made = DirectFollowers(
      Array(requests.prefix(DirectFollowers.maximumCount + 1)), model: stored.index.model)
    direct.withLock { $0 = made }
  }

  /// Computes what a replacement of rows changes in the requests that reach them.
  ///
  /// - Parameter states: As for ``StoreObserver``.
  func noteReplacement(
    of projection: String, _ states: (RequestScope) throws -> ReplacedStates?
  ) throws {
    let scopes = state.withLock { $0.scopes.values.filter { $0.scope.projections.contains(projection) } }
    guard !scopes.isEmpty else { return }
    // What the former rows changed is noted as long as they can be read.
    examine()
    for scope in scopes {
      let lives = state.withLock { _ in scope.requests.values.map(\.request) }
      guard !lives.isEmpty, let replaced = try states(scope.scope) else { continue }
      for live in lives {
        do {
          try live.noteReplacement(replaced)
        } catch  where !(error is LMDBError) {
          // Such as a request that names what the new version lacks. The followers receive a reset, or the error.
        }
      }
    }
  }

  /// Records that the projections are in another file, and wakes the thread.
  func noteReplacement() {
    state.withLock { $0.isSignalStale = true }
    wakeThread()
  }

  private func wakeThread() {
    signal.withLock { $0 }?.wake()
  }

  /// Wakes all followers, which find the store closed, and ends the thread.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.wakeAll()
    }
    wakeThread()
    worker.close()
    preparer.close()
  }

  /// Starts the thread unless it already watches the files.
  private func start(_ state: inout State) throws {
    guard !isAwake, !state.isClosed else { return }
    let files = [keeper.files.journalEnvironment, keeper.projectionsEnvironment].map { $0.path + "/data.mdb" }
    try makeSignal(watching: files, &state)
    worker.start {
      self.follow(files)
      return false
    }
  }

  private func makeSignal(watching files: [String], _ state: inout State) throws {
    state.isSignalStale = false
    let made = try watch(files)
    signal.withLock { $0 = made }
  }

  /// Examines new commits after each write to the files, until nothing is followed.
  private func follow(_ files: [String]) {
    while let signal = presentSignal(watching: files) {
      examine()
      signal.wait(atMostMilliseconds: sleepTime())
    }
  }

  /// Wakes the followers whose moment has come, and returns how long to sleep, in milliseconds.
  ///
  /// The clock may be set while the thread sleeps, so a distant moment is waited for in parts.
  private func sleepTime() -> Int32 {
    let now = keeper.files.options.clock()
    guard let next = schedule.wakeDue(at: now) else { return CommitNotifier.idleTime }
    let (distance, overflow) = next.microseconds.subtractingReportingOverflow(now.microseconds)
    return overflow ? CommitNotifier.idleTime : Int32(min(Int64(CommitNotifier.idleTime), distance / 1_000 + 1))
  }

  /// Returns the signal to wait for, or removes it and returns `nil` if nothing is followed.
  private func presentSignal(watching files: [String]) -> FileSignal? {
    state.withLock { state in
      if state.isClosed || state.isIdle {
        signal.withLock { $0 = nil }
        return nil
      }
      // Without a new signal, commits of other processes are still noticed in the journal's file, which is never
      // replaced.
      if state.isSignalStale { try? makeSignal(watching: files, &state) }
      return signal.withLock { $0 }
    }
  }

  /// Examines the new commits, and wakes the followers that they concern.
  private func examine() {
    do {
      try keeper.read { reader in
        try state.withLock { state in
          for wakeup in state.projectionFollowers.values { wakeup.signal() }
          let hasCommits = reader.position > seen
          var hasOtherModel = false
          for scope in state.scopes.values {
            hasOtherModel = try examine(scope, in: reader) || hasOtherModel
          }
          if hasOtherModel { updateDirectFollowers(state) }
          if hasCommits { for wakeup in state.journalFollowers.values { wakeup.signal() } }
        }
      }
    } catch {
      // The followers meet the error themselves and can report it to their callers.
      state.withLock { $0.wakeAll() }
    }
  }

  /// - Returns: Whether the requests were resolved by another model.
  private func examine(_ scope: FollowedScope, in reader: borrowing StoreReader) throws -> Bool {
    if scope.scope.isStored { return try scope.examine(reader) }
    do {
      guard let derived = try reader.derived(in: scope.scope) else { return false }
      return try scope.examine(derived)
    } catch let error where error is UnopenedTables || error is MissingRows {
      throw error
    } catch {
      scope.wakeAll()
      return false
    }
  }
}
