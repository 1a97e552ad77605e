import DaybookModel
import Foundation
import LMDB
import Synchronization

/// Wakes the followers of a store when there is something new for them.
///
/// While anything is followed, one thread sleeps until this process commits or another process writes to the store's
/// files. The thread then examines the new commits once, finds the requests that they may touch, and wakes the
/// followers of these requests. Followers compute their differences on demand: nothing is queued, so a follower that
/// never reads costs nothing.
final class CommitNotifier: @unchecked Sendable {
  /// Protects all members below except the signal, and signals that the thread has ended.
  ///
  /// A caller that holds it takes no other lock except the locks of ``Followers`` and ``Wakeup``, and the callback of a
  /// wakeup takes a lock only briefly.
  private let condition = NSCondition()
  private var requests: [FetchRequest: FollowedRequest] = [:]
  private var index = LiveIndex()
  /// The followers of the journal itself.
  private var journalFollowers: [ObjectIdentifier: Wakeup] = [:]
  /// The followers of user projections, which also change without a commit.
  private var projectionFollowers: [ObjectIdentifier: Wakeup] = [:]
  /// The last commit that was examined.
  ///
  /// It is set under the lock but read without it: a follower that computes a difference would otherwise wait until the
  /// thread has examined the same commit.
  private let seenNumber = Atomic<UInt64>(0)
  private var thread: Thread?
  private var isClosed = false

  /// Whether a file that the signal watches has been replaced by another one.
  private var isSignalStale = false
  /// Wakes the thread; `nil` while there is no thread.
  private let signal = Locked<FileSignal?>(nil)
  private let watch: @Sendable ([String]) throws -> FileSignal

  private struct FollowedRequest {
    let request: LiveRequest
    /// The request's place in the index, or `nil` if the present model cannot resolve it.
    var entry: LiveIndex.Entry?
  }

  /// How long the thread sleeps if nothing wakes it, in milliseconds.
  private static let idleTime: Int32 = 10_000

  /// - Parameter watch: Creates the signal that reports writes to files; tests let it fail.
  init(watch: @escaping @Sendable ([String]) throws -> FileSignal = { try FileSignal(watching: $0) }) {
    self.watch = watch
  }

  /// Starts to follow a request.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks; `LMDBError` if the
  ///   process has no descriptors left. In both cases nothing is followed.
  func follow(_ request: FetchRequest, _ wakeup: Wakeup, of store: Store) throws -> LiveRequest {
    try store.read { reader in
      try condition.withLock {
        // The seen position is valid while anything is followed; the first follower sets it.
        if isIdle { seenPosition = reader.position }
        let live = requests[request]?.request ?? LiveRequest(request, store: store.companion, from: seenPosition)
        // If the request cannot be added, the thread ends by itself as nothing is followed.
        try start(store)
        if requests[request] == nil {
          requests[request] = FollowedRequest(request: live, entry: try index.adding(live, in: reader.resolvedModel))
        }
        live.followers.add(wakeup)
        return live
      }
    }
  }

  func unfollow(_ live: LiveRequest, _ wakeup: Wakeup) {
    condition.withLock {
      live.followers.remove(wakeup)
      guard live.followers.isEmpty, let followed = requests[live.request], followed.request === live else { return }
      requests[live.request] = nil
      if let entry = followed.entry { index.remove(live, entry) }
      if isIdle { wakeThread() }
    }
  }

  /// Starts to follow the journal.
  func followJournal(_ wakeup: Wakeup, of store: Store) throws {
    try add(wakeup, to: \.journalFollowers, of: store)
  }

  func unfollowJournal(_ wakeup: Wakeup) { remove(wakeup, from: \.journalFollowers) }

  /// Starts to follow the user projections: any change in the store raises the wakeup.
  func followProjections(_ wakeup: Wakeup, of store: Store) throws {
    try add(wakeup, to: \.projectionFollowers, of: store)
  }

  func unfollowProjections(_ wakeup: Wakeup) { remove(wakeup, from: \.projectionFollowers) }

  private typealias Wakeups = ReferenceWritableKeyPath<CommitNotifier, [ObjectIdentifier: Wakeup]>

  private func add(_ wakeup: Wakeup, to followers: Wakeups, of store: Store) throws {
    let head = try store.head()
    try condition.withLock {
      if isIdle { seenPosition = head }
      try start(store)
      self[keyPath: followers][ObjectIdentifier(wakeup)] = wakeup
    }
  }

  private func remove(_ wakeup: Wakeup, from followers: Wakeups) {
    condition.withLock {
      self[keyPath: followers][ObjectIdentifier(wakeup)] = nil
      if isIdle { wakeThread() }
    }
  }

  /// The last commit that was examined: all touches up to this commit have been noted.
  var seen: Position { seenPosition }

  private var seenPosition: Position {
    get { Position(seenNumber.load(ordering: .acquiring)) }
    set { seenNumber.store(newValue.number, ordering: .releasing) }
  }

  /// The numbers of touched spans that are kept for each request.
  var spanCounts: [Int] { condition.withLock { requests.values.map(\.request.followers.spanCount) } }

  /// Whether the thread runs, which it does only while something is followed.
  var isAwake: Bool { condition.withLock { thread != nil } }

  /// The requests that have followers.
  var openRequests: [FetchRequest] { condition.withLock { Array(requests.keys) } }

  /// Wakes the thread after a commit of this process.
  func noteCommit() { wakeThread() }

  /// Records that the projections are in another file, and wakes the thread.
  func noteReplacement() {
    condition.withLock {
      isSignalStale = true
      wakeThread()
    }
  }

  private func wakeThread() {
    signal.withLock { $0 }?.wake()
  }

  /// Wakes all followers, which find the store closed, and ends the thread.
  func close() {
    condition.withLock {
      isClosed = true
      wakeAll()
      wakeThread()
      while let thread, thread !== Thread.current { condition.wait() }
    }
  }

  /// Whether nothing is followed. The caller holds the lock or is the only user.
  var isIdle: Bool { requests.isEmpty && journalFollowers.isEmpty && projectionFollowers.isEmpty }

  private func start(_ store: Store) throws {
    guard thread == nil, !isClosed else { return }
    let files = [store.journalEnvironment, store.projectionsEnvironment].map { $0.path + "/data.mdb" }
    let signal = try makeSignal(watching: files)
    let companion = store.companion
    let thread = Thread {
      var signal = signal
      while self.goesOn() {
        if let renewed = self.renewSignal(watching: files) { signal = renewed }
        self.look(companion)
        signal.wait(atMostMilliseconds: CommitNotifier.idleTime)
      }
    }
    thread.name = "daybook feeds"
    self.thread = thread
    thread.start()
  }

  private func makeSignal(watching files: [String]) throws -> FileSignal {
    isSignalStale = false
    let signal = try watch(files)
    self.signal.withLock { $0 = signal }
    return signal
  }

  /// Returns a new signal if the current one is stale and a new one can be created, else `nil`.
  private func renewSignal(watching files: [String]) -> FileSignal? {
    condition.withLock {
      // Without a new signal, commits of other processes are still noticed in the journal's file, which is never
      // replaced.
      isSignalStale ? try? makeSignal(watching: files) : nil
    }
  }

  /// Returns whether the thread is to continue; if not, records its end.
  private func goesOn() -> Bool {
    condition.withLock {
      if !isClosed, !isIdle { return true }
      thread = nil
      signal.withLock { $0 = nil }
      condition.broadcast()
      return false
    }
  }

  /// Examines the new commits, and wakes the followers that they concern.
  private func look(_ store: Store) {
    do {
      try store.read { reader in
        try condition.withLock {
          for wakeup in projectionFollowers.values { wakeup.raise() }
          guard reader.position > seenPosition else { return }
          if let touched = try index.requestsTouched(since: seenPosition, in: reader) {
            for live in touched { live.followers.note(from: seenPosition, to: reader.position) }
          } else {
            makeIndex(in: reader.resolvedModel)
            for followed in requests.values {
              followed.request.followers.note(from: seenPosition, to: reader.position)
            }
          }
          seenPosition = reader.position
          for wakeup in journalFollowers.values { wakeup.raise() }
        }
      }
    } catch {
      // The followers meet the error themselves and can report it to their callers.
      condition.withLock { wakeAll() }
    }
  }

  private func makeIndex(in model: ResolvedModel) {
    index = LiveIndex()
    for (request, followed) in requests {
      // A request that the new model cannot resolve has no entry: its followers are woken and receive an error.
      requests[request]?.entry = try? index.adding(followed.request, in: model)
    }
  }

  private func wakeAll() {
    for followed in requests.values { followed.request.followers.wake() }
    for wakeup in journalFollowers.values { wakeup.raise() }
    for wakeup in projectionFollowers.values { wakeup.raise() }
  }
}
