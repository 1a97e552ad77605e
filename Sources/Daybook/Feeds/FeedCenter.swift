import DaybookModel
import Foundation
import LMDB
import Synchronization

/// Tells those who follow a store that there is something new for them.
///
/// While anybody follows, one thread sleeps until this process commits or the files of the store are written to by
/// another one. It then looks once at the new commits, finds the requests that they may touch, and wakes their followers,
/// who make their differences themselves when they want them: nothing is queued, so a follower that never reads costs
/// nothing.
final class FeedCenter: @unchecked Sendable {
  /// Protects all members below but the signal, and says that the thread has ended. Whoever holds it takes no lock but
  /// those of ``Followers`` and ``Wakeup``, and what a wakeup calls takes one for a moment only.
  private let condition = NSCondition()
  private var requests: [FetchRequest: Followed] = [:]
  private var index = LiveIndex()
  /// Those who follow the journal itself.
  private var journalFollowers: [ObjectIdentifier: Wakeup] = [:]
  /// Those who follow projections of users, which change without a commit too.
  private var projectionFollowers: [ObjectIdentifier: Wakeup] = [:]
  /// The last commit that was looked at. Set under the lock, but read without it: who makes a difference would wait for
  /// the thread to look at the same commit.
  private let seenNumber = Atomic<UInt64>(0)
  private var thread: Thread?
  private var isClosed = false

  /// Whether a file that the signal watches has been replaced by another one.
  private var isSignalStale = false
  /// Wakes the thread; nil while there is none.
  private let signal = Locked<FileSignal?>(nil)
  private let watch: @Sendable ([String]) throws -> FileSignal

  private struct Followed {
    let request: LiveRequest
    /// Nil for one that the present model cannot answer.
    var entry: LiveIndex.Entry?
  }

  /// How long the thread sleeps if nothing wakes it, in milliseconds.
  private static let idleTime: Int32 = 10_000

  /// - Parameter watch: Makes what tells of writes to some files; tests let it fail.
  init(watch: @escaping @Sendable ([String]) throws -> FileSignal = { try FileSignal(watching: $0) }) {
    self.watch = watch
  }

  /// Begins to follow a request.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks; `LMDBError` if the
  ///   process has no descriptors left. Then nothing is followed.
  func follow(_ request: FetchRequest, _ wakeup: Wakeup, of store: Store) throws -> LiveRequest {
    try store.read { reader in
      try condition.withLock {
        // Whoever followed before knows the commits up to there; the first one starts here.
        if isIdle { seenPosition = reader.position }
        let live = requests[request]?.request ?? LiveRequest(request, store: store.companion, from: seenPosition)
        // The thread ends by itself if there is nobody to follow with it.
        try start(store)
        if requests[request] == nil {
          requests[request] = Followed(request: live, entry: try index.adding(live, in: reader.resolvedModel))
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

  /// Begins to follow the journal.
  func followJournal(_ wakeup: Wakeup, of store: Store) throws {
    try add(wakeup, to: \.journalFollowers, of: store)
  }

  func unfollowJournal(_ wakeup: Wakeup) { remove(wakeup, from: \.journalFollowers) }

  /// Begins to follow the projections of users: whoever does is woken whenever anything has changed in the store.
  func followProjections(_ wakeup: Wakeup, of store: Store) throws {
    try add(wakeup, to: \.projectionFollowers, of: store)
  }

  func unfollowProjections(_ wakeup: Wakeup) { remove(wakeup, from: \.projectionFollowers) }

  private typealias Wakeups = ReferenceWritableKeyPath<FeedCenter, [ObjectIdentifier: Wakeup]>

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

  /// The last commit that was looked at: whatever it and earlier ones touched has been noted.
  var seen: Position { seenPosition }

  private var seenPosition: Position {
    get { Position(seenNumber.load(ordering: .acquiring)) }
    set { seenNumber.store(newValue.number, ordering: .releasing) }
  }

  /// The numbers of spans that are remembered for the followers of each request.
  var spanCounts: [Int] { condition.withLock { requests.values.map(\.request.followers.spanCount) } }

  /// Whether the thread is there, which it is only while somebody follows.
  var isAwake: Bool { condition.withLock { thread != nil } }

  /// The requests that somebody follows.
  var openRequests: [FetchRequest] { condition.withLock { Array(requests.keys) } }

  /// Tells that this process has committed.
  func noteCommit() { wakeThread() }

  /// Tells that the projections are in another file.
  func noteReplacement() {
    condition.withLock {
      isSignalStale = true
      wakeThread()
    }
  }

  private func wakeThread() {
    signal.withLock { $0 }?.wake()
  }

  /// Wakes all followers, who find the store closed, and ends the thread.
  func close() {
    condition.withLock {
      isClosed = true
      wakeAll()
      wakeThread()
      while let thread, thread !== Thread.current { condition.wait() }
    }
  }

  /// Whether nothing is followed. To be read with the lock, or by the only user.
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
        signal.wait(atMostMilliseconds: FeedCenter.idleTime)
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

  /// A signal that watches the present files, if the last one does not; nil also where none can be made now.
  private func renewSignal(watching files: [String]) -> FileSignal? {
    condition.withLock {
      // Without one, the commits of other processes are still seen in the journal's file, which stays.
      isSignalStale ? try? makeSignal(watching: files) : nil
    }
  }

  /// Whether the thread is to go on; notes its end otherwise.
  private func goesOn() -> Bool {
    condition.withLock {
      if !isClosed, !isIdle { return true }
      thread = nil
      signal.withLock { $0 = nil }
      condition.broadcast()
      return false
    }
  }

  /// Looks at the commits that are new, and wakes whom they concern.
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
      // They will meet the error themselves, and can say so to somebody.
      condition.withLock { wakeAll() }
    }
  }

  private func makeIndex(in model: ResolvedModel) {
    index = LiveIndex()
    for (request, followed) in requests {
      // One that the new model cannot answer is not kept: its followers are woken now, and told by an error.
      requests[request]?.entry = try? index.adding(followed.request, in: model)
    }
  }

  private func wakeAll() {
    for followed in requests.values { followed.request.followers.wake() }
    for wakeup in journalFollowers.values { wakeup.raise() }
    for wakeup in projectionFollowers.values { wakeup.raise() }
  }
}
