import DaybookEngine
import DaybookModel

@testable import DaybookRuntime

/// The journal of a simulated node: what is on its disk.
struct PlainJournal: NodeJournal {
  private(set) var commits: [PendingCommit] = []
  private var positions: [ObjectID: Position] = [:]
  private(set) var place: StreamPlace?
  private(set) var fork: StreamFork?

  func streamPlace() -> StreamPlace? { place }
  func streamFork() -> StreamFork? { fork }
  func head() -> Position { Position(UInt64(commits.count)) }
  func position(ofCommitID id: ObjectID) -> Position? { positions[id] }

  func commitEnd(at position: Position) -> (hash: Digest, recordedAt: Timestamp) {
    let commit = commits[Int(position.number) - 1]
    return (commit.hash, commit.header.recordedAt)
  }

  /// Whether a commit is at a position.
  func has(_ hash: Digest, at position: Position) -> Bool {
    position <= head() && commitEnd(at: position).hash == hash
  }

  func pendingCommits(after position: Position, sizeInBytes limit: Int) -> [PendingCommit] {
    let rest = commits[Int(position.number)...]
    if position == .empty { return Array(rest.prefix(1)) }
    var (found, size) = ([PendingCommit](), 0)
    for commit in rest where size < limit {
      found.append(commit)
      size += commit.sizeInBytes
    }
    return found
  }

  /// Returns a commit that follows the head.
  func next(_ id: ObjectID, sizeInBytes size: Int) -> PendingCommit {
    let body = [UInt8](repeating: 7, count: size)
    return PendingCommit(
      header: CommitHeader(
        position: head().next, previousHash: commits.last?.hash ?? .zero, bodyDigest: Digest(hashing: body.rawSpan),
        recordedAt: Timestamp(microseconds: Int64(commits.count)), happenedAt: nil, commitID: id, author: nil,
        message: nil, eventCount: 0, bodySize: size, isModel: true),
      body: body, bodyVersion: 1, refersToLargeValues: false)
  }

  /// - Throws: ``Simulation/Fault`` if the commit does not follow the head.
  mutating func append(_ commit: PendingCommit) throws {
    guard commit.header.position == head().next, commit.header.previousHash == commits.last?.hash ?? .zero else {
      throw Simulation.Fault(description: "commit \(commit.header.position) does not follow commit \(head())")
    }
    commits.append(commit)
    if let id = commit.header.commitID { positions[id] = commit.header.position }
  }

  mutating func move(to place: StreamPlace) { self.place = place }

  /// Does what the session of ``StreamAppending`` does.
  ///
  /// - Throws: ``StreamPlaceMoved``; ``Simulation/Fault``.
  mutating func append(_ arrivals: StreamArrivals) throws {
    guard arrivals.replacesAnyPlace || place == arrivals.start else { throw StreamPlaceMoved() }
    for commit in arrivals.commits {
      let position = commit.header.position
      guard position <= head() else {
        try append(commit)
        continue
      }
      let own = commitEnd(at: position).hash
      guard own == commit.hash else {
        fork = StreamFork(position: position, own: own, stream: commit.hash)
        return
      }
    }
    place = arrivals.end
  }
}
