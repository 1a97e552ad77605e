import DaybookModel
import LMDB

/// Commits whose seals and digests a second thread compares, while the first thread reads the commits before them.
///
/// Computing digests takes as long as decoding the events, or longer. The first thread adds commits to a batch, begins its
/// check, and meanwhile reads the batch before it.
///
/// The commits are read where they are in the map, so the transaction must live longer than this object, and must not
/// change its tables.
final class CheckAhead {
  /// The size at which a batch is checked, in bytes of commits.
  ///
  /// It takes the second thread half a millisecond, against which waking the thread is cheap.
  static let batchSizeInBytes = 1 << 20

  @safe
  struct Commit: BitwiseCopyable {
    let position: Position
    let bytes: UnsafeBytes
    /// Whether seal and digest were compared and match; `false` also after a damaged commit.
    var isChecked = false
  }

  /// What the second thread works on; the first thread waits before it reads it.
  private final class Batch: @unchecked Sendable {
    var commits: [Commit] = []
    var sizeInBytes = 0

    /// Checks the commits up to the first one that is damaged; the reader of that one finds the damage again.
    func check() {
      for index in commits.indices {
        let commit = commits[index]
        do {
          try unsafe CommitView(commit.bytes.unsafeSpan).check(at: commit.position)
        } catch {
          return
        }
        commits[index].isChecked = true
      }
    }
  }

  private let second = HelperThread(name: "daybook journal")
  private var ready = Batch()
  private var readyIndex = 0
  private var pending: Batch?
  private var gathered = Batch()

  /// Adds a commit to the batch that is checked next.
  func add(_ bytes: UnsafeBytes, at position: Position) {
    unsafe gathered.commits.append(Commit(position: position, bytes: bytes))
    gathered.sizeInBytes += unsafe bytes.count
  }

  /// Whether the batch that is checked next is large enough.
  var isFull: Bool { gathered.sizeInBytes >= CheckAhead.batchSizeInBytes }

  /// Whether the checked batch has commits that ``next()`` has not returned.
  var isReady: Bool { readyIndex < ready.commits.count }

  /// Removes and returns the next commit of the checked batch, or `nil` if none is left.
  func next() -> Commit? {
    guard isReady else { return nil }
    defer { readyIndex += 1 }
    return ready.commits[readyIndex]
  }

  /// Waits for the batch that is being checked, and begins to check the commits that were added.
  ///
  /// - Returns: Whether there are commits that ``next()`` has not returned, in this batch or the next one.
  func turn() -> Bool {
    if pending != nil { second.wait() }
    ready = pending ?? Batch()
    readyIndex = 0
    pending = nil
    if !gathered.commits.isEmpty {
      let batch = gathered
      gathered = Batch()
      pending = batch
      second.begin { batch.check() }
    }
    return isReady || pending != nil
  }
}
