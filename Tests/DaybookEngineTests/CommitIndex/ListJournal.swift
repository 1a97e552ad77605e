import DaybookModel
import DaybookTestSupport

@testable import DaybookEngine

/// A journal in memory, which counts the commits that are read.
final class ListJournal: Journal {
  private(set) var commits: [PendingCommit] = []
  private(set) var readCount = 0

  /// Returns a commit that would follow the head and others, with random author, reasons and events.
  func makeCommit(after others: [PendingCommit] = [], _ random: inout SeededRandom) throws -> PendingCommit {
    let last = others.last ?? commits.last
    let position = last?.header.position.next ?? 1
    let time = Timestamp(microseconds: Int64(position.number) * 3_600_000_000)
    var writer = EventWriter(position: position, time: time)
    for _ in 0..<random.number(1...6) {
      try writer.inserted(
        ObjectID(high: random.next(), low: random.next()), entity: Tag(UInt16(random.number(1...3))), previous: nil,
        fields: [UInt8]().rawSpan)
    }
    var reasons = CommitReasons()
    if random.isOneIn(4) { reasons.correlation = "flow \(random.number(0...2))" }
    if random.isOneIn(4), position > 1 {
      reasons.causation = .position(Position(UInt64(random.number(1..<Int(position.number)))))
    }
    let header = CommitHeader(
      position: position, previousHash: last?.hash ?? .zero, bodyDigest: Digest(hashing: writer.bytes.rawSpan),
      recordedAt: time, happenedAt: nil, commitID: nil, author: random.pick([nil, "ann", "bob"]), message: nil,
      eventCount: writer.count, bodySize: writer.bytes.count, isModel: false, reasons: reasons)
    return PendingCommit(header: header, body: writer.bytes)
  }

  func append(_ new: [PendingCommit]) { commits += new }

  func head() throws -> Position { Position(UInt64(commits.count)) }

  func header(at position: Position) throws -> (header: CommitHeader, hash: Digest) {
    let commit = commits[Int(position.number) - 1]
    return (commit.header, commit.hash)
  }

  func withCommit<Result>(at position: Position, _ body: (CommitView) throws -> Result) throws -> Result {
    readCount += 1
    let commit = commits[Int(position.number) - 1]
    var bytes = commit.headerBytes + commit.body
    bytes.appendFixed(CommitSeal(commit.hash).number)
    return try body(CommitView(bytes.rawSpan))
  }

  func forEachCommit(from first: Position, through last: Position?, _ body: (CommitView) throws -> Bool) throws {
    var position = first
    while try position <= last ?? head(), try withCommit(at: position, body) { position = position.next }
  }

  func modelPositions() throws -> [Position] { [] }

  func position(ofCommitID id: ObjectID) throws -> Position? { nil }
}
