import Dispatch
import Synchronization

/// Hands commits from the thread that reads them to the one that writes them, in order.
///
/// It holds a bounded number of operations, so a reader that is faster waits. One thread adds, one takes.
final class CommitQueue: Sendable {
  enum Item: Sendable {
    case commit(PreparedCommit)
    /// The history ends; nothing follows.
    case end
    /// It cannot be read further; nothing follows.
    case failure(any Error)
  }

  private struct State {
    var items: [Item] = []
    /// How many of the items were taken.
    var takenCount = 0
    var isCancelled = false
  }

  /// A commit takes a slot, and one more for each so many operations.
  private static let operationsPerSlot = 256
  private static let slotCount = 4_096

  private let state = Mutex(State())
  private let free = DispatchSemaphore(value: CommitQueue.slotCount)
  private let available = DispatchSemaphore(value: 0)

  /// Adds an item, once there is space.
  ///
  /// - Returns: False if nobody takes any more.
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
  /// - Parameter timeout: How long to wait for one.
  /// - Returns: Nil if none came in time.
  func take(waiting timeout: DispatchTime) -> Item? {
    guard available.wait(timeout: timeout) == .success else { return nil }
    let item = state.withLock { state in
      let item = state.items[state.takenCount]
      // What is taken lets go of its memory, and the places are used again when all are taken.
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

  /// Tells the reader that nothing is taken any more.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    for _ in 0..<Self.slotCount { free.signal() }
  }

  private static func slots(of item: Item) -> Int {
    guard case .commit(let commit) = item else { return 1 }
    return min(slotCount, 1 + commit.operations.count / operationsPerSlot)
  }
}
