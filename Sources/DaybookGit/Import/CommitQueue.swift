import Dispatch
import Synchronization

/// Passes commits in order from the thread that reads them to the thread that writes them.
///
/// It holds a bounded number of operations, so a faster reader waits. One thread adds items, one takes them.
final class CommitQueue: Sendable {
  enum Item: Sendable {
    case commit(PreparedCommit)
    /// The end of the history; no item follows.
    case end
    /// An error in reading the history; no item follows.
    case failure(any Error)
  }

  private struct State {
    var items: [Item] = []
    /// The number of items taken.
    var takenCount = 0
    var isCancelled = false
  }

  /// The number of operations per additional slot; each commit takes at least one slot.
  private static let operationsPerSlot = 256
  private static let slotCount = 4_096

  private let state = Mutex(State())
  private let free = DispatchSemaphore(value: CommitQueue.slotCount)
  private let available = DispatchSemaphore(value: 0)

  /// Adds an item, once there is space.
  ///
  /// - Returns: `false` if the queue was cancelled.
  func add(_ item: Item) -> Bool {
    for _ in 0..<Self.slots(of: item) { free.wait() }
    let isCancelled = state.withLock { state in
      state.items.append(item)
      return state.isCancelled
    }
    available.signal()
    return !isCancelled
  }

  /// Takes the next item.
  ///
  /// - Parameter timeout: The end of the wait for an item.
  /// - Returns: The item, or `nil` if none arrived in time.
  func take(waiting timeout: DispatchTime) -> Item? {
    guard available.wait(timeout: timeout) == .success else { return nil }
    let item = state.withLock { state in
      let item = state.items[state.takenCount]
      // A taken item releases its memory, and the array is reused once all are taken.
      state.items[state.takenCount] = .end
      state.takenCount += 1
      if state.takenCount == state.items.count {
        state.items.removeAll(keepingCapacity: true)
        state.takenCount = 0
      }
      return item
    }
    for _ in 0..<Self.slots(of: item) { free.signal() }
    return item
  }

  /// Cancels the queue, so that the reader stops adding items.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    for _ in 0..<Self.slotCount { free.signal() }
  }

  private static func slots(of item: Item) -> Int {
    guard case .commit(let commit) = item else { return 1 }
    return min(slotCount, 1 + commit.operations.count / operationsPerSlot)
  }
}

/// A commit with its changes of folders and files.
struct PreparedCommit: Sendable {
  /// The commit without its changes, which the operations replace.
  let commit: GitCommit
  let operations: [TreeOperation]

  /// The maximum number of events of the commit.
  ///
  /// A new object is inserted and related, a deleted one unrelated and deleted, and the revision and its author add
  /// three events.
  var eventCount: Int {
    operations.reduce(3) { count, operation in
      switch operation {
      case .insertFolder, .insertFile, .deleteFile, .deleteFolder: count + 2
      case .setFile, .rename, .move: count + 1
      }
    }
  }

  /// The approximate number of bytes in the journal.
  var sizeInBytes: Int { 256 + commit.message.utf8.count + 128 * operations.count }
}
