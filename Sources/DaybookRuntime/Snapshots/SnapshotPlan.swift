import DaybookEngine
import DaybookModel
import LMDB

/// The snapshots that a store lacks, and the snapshots that it can do without.
///
/// A gap of one and a half spacings or more between two snapshots is filled: from any position before the newest one, the
/// nearest snapshot is at most about three quarters of a spacing away, in events. The spacing is the requested one, or
/// larger if that would need more snapshots than are to be kept.
///
/// The newest one is placed at the head, because a snapshot of an earlier position costs as much again for the events
/// that must be undone.
struct SnapshotPlan {
  /// The snapshots to make, by descending position.
  ///
  /// Each is reached from the one after it, or from the head.
  private(set) var missing: [(position: Position, eventCount: Int)] = []
  /// The number of events after the last snapshot.
  private(set) var eventsSinceLast = 0
  /// The number of events up to the last snapshot; 0 without snapshots.
  private(set) var eventsThroughLast = 0

  private struct Anchor {
    let position: Position
    let eventCount: Int
  }

  /// - Parameters:
  ///   - existing: The existing snapshots, by ascending position.
  ///   - interval: The requested number of events between two snapshots.
  ///   - maximumCount: The number of snapshots to keep.
  /// - Complexity: O(*k*) for *k* commits after the last snapshot and in gaps.
  init(_ existing: [SnapshotMarker], interval: Int, maximumCount: Int, in journal: LMDBJournal) throws {
    precondition(interval > 0 && maximumCount > 0, "A policy that keeps none makes no plan.")
    let head = try journal.head()
    var anchors = [Anchor(position: .empty, eventCount: 0)]
    anchors += existing.filter { $0.position <= head }.map { Anchor(position: $0.position, eventCount: $0.eventCount) }
    guard let last = anchors.last else { return }
    let total = last.eventCount + (try journal.eventCount(from: last.position.next, through: head))
    (eventsSinceLast, eventsThroughLast) = (total - last.eventCount, last.eventCount)
    let spacing = max(interval, (total + maximumCount - 1) / maximumCount)
    for (start, end) in zip(anchors, anchors.dropFirst()) {
      let parts = (end.eventCount - start.eventCount + spacing / 2) / spacing
      guard parts > 1 else { continue }
      let step = (end.eventCount - start.eventCount) / parts
      try add((1..<parts).map { start.eventCount + $0 * step }, from: start, through: end.position, in: journal)
    }
    let parts = (total - last.eventCount) / spacing
    if parts > 0 {
      let step = (total - last.eventCount) / parts
      try add((1..<parts).map { last.eventCount + $0 * step }, from: last, through: head, in: journal)
      // The last target may be in the last commit.
      if missing.last?.position != head { missing.append((head, total)) }
    }
    missing.sort { $0.position > $1.position }
  }

  /// Adds the commits at which the number of events reaches the targets.
  private mutating func add(
    _ targets: [Int], from start: Anchor, through end: Position, in journal: LMDBJournal
  ) throws {
    var targets = targets[...]
    var count = start.eventCount
    try journal.forEachEventCount(from: start.position.next, through: end) { position, events in
      count += events
      guard let target = targets.first else { return false }
      guard count >= target else { return true }
      while let next = targets.first, next <= count { targets.removeFirst() }
      missing.append((position, count))
      return true
    }
  }

  /// Returns the snapshots to remove so that at most `maximumCount` are left, and at least one.
  ///
  /// Each time, the snapshot whose absence makes the smallest gap is removed. The newest snapshot stays.
  static func superfluous(_ existing: [SnapshotMarker], maximumCount: Int) -> [Position] {
    var kept = existing
    var removed: [Position] = []
    while kept.count > max(1, maximumCount) {
      let gaps = kept.indices.dropLast().map { index in
        kept[index + 1].eventCount - (index > 0 ? kept[index - 1].eventCount : 0)
      }
      guard let index = gaps.indices.min(by: { gaps[$0] < gaps[$1] }) else { break }
      removed.append(kept.remove(at: index).position)
    }
    return removed
  }
}
