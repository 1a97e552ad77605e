import DaybookEngine
import DaybookModel

extension LMDBJournal: NodeJournal {
  func commitEnd(at position: Position) throws -> (hash: Digest, recordedAt: Timestamp) {
    let found = try header(at: position)
    return (found.hash, found.header.recordedAt)
  }

  func pendingCommits(after position: Position, sizeInBytes limit: Int) throws -> [PendingCommit] {
    let head = try head()
    guard position < head else { return [] }
    // The first commit is published alone, with the identity of the store.
    let last = position == .empty ? Position.empty.next : head
    var commits: [PendingCommit] = []
    var size = 0
    let values = largeValues
    try forEachCommit(from: position.next, through: last) { commit in
      var pending = try PendingCommit.checked([UInt8](commit.bytes))
      if pending.refersToLargeValues {
        var found: [LargeValue] = []
        try pending.events.forEachLargeValue { found.append($0.reading(from: values)) }
        pending = try PendingCommit.checked([UInt8](commit.bytes), largeValues: found)
      }
      commits.append(pending)
      size += pending.sizeInBytes
      return size < limit
    }
    return commits
  }
}
