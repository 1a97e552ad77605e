import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// Which messages of a stream are taken, and which are skipped.
@Suite(.hangLimit) struct StreamFoldTests {
  private static let store = ObjectID(high: 1, low: 2)

  /// A chain of commits, and the fold of the messages that hold them.
  private struct Bench {
    var fold = StreamFold(
      at: StreamPlace(created: 7), of: StreamFoldTests.store, hash: .zero, recordedAt: Timestamp(microseconds: .min))
    private(set) var commits: [PendingCommit] = []
    private var sequence: UInt64 = 0
    var knownIDs: [ObjectID: Position] = [:]

    /// Returns a commit that follows the last one, unless it is changed.
    func next(
      body: String = "x", id: ObjectID? = nil, time: Int64? = nil, position: Position? = nil, after hash: Digest? = nil
    ) -> PendingCommit {
      let number = commits.count + 1
      let bytes = Array(body.utf8)
      return PendingCommit(
        header: CommitHeader(
          position: position ?? Position(UInt64(number)), previousHash: hash ?? commits.last?.hash ?? .zero,
          bodyDigest: Digest(hashing: bytes.rawSpan), recordedAt: Timestamp(microseconds: time ?? Int64(number)),
          happenedAt: nil, commitID: id, author: nil, message: nil, eventCount: 0, bodySize: bytes.count, isModel: true),
        body: bytes, bodyVersion: 1, refersToLargeValues: false)
    }

    mutating func read(_ bytes: [UInt8]) throws -> String {
      sequence += 1
      let known = knownIDs
      switch try fold.fold(StreamMessage(sequence: sequence, bytes: bytes), knownPosition: { known[$0] }) {
      case .taken(let taken):
        commits += taken
        return "taken \(taken.count)"
      case .part: return "part"
      case .skipped(let reason): return reason.rawValue
      }
    }

    mutating func read(_ commits: PendingCommit..., attempt: UInt64 = 9) throws -> String {
      try read(Bench.message(try StreamPayload.bytes(of: commits), attempt, 0, 1))
    }

    mutating func begin() throws {
      let first = next()
      let payload = try StreamPayload.bytes(of: [first])
      #expect(try read(StreamContent.identity(StreamFoldTests.store, payload: payload).bytes) == "taken 1")
    }

    static func message(_ bytes: some Collection<UInt8>, _ attempt: UInt64, _ index: Int, _ count: Int) -> [UInt8] {
      StreamContent.part(
        StreamPart(attempt: ObjectID(high: 0, low: attempt), index: index, count: count, bytes: Array(bytes))
      ).bytes
    }
  }

  @Test func commitsThatFollowAreTakenAndMoveThePlace() throws {
    var bench = Bench()
    try bench.begin()
    #expect(try bench.read(bench.next()) == "taken 1")
    #expect(bench.fold.place.sequence == 2)
    #expect(bench.fold.place.position == 2)
    #expect(bench.fold.place.skippedCount == 0)
    #expect(try StreamPlace(bench.fold.place.bytes) == bench.fold.place)
  }

  @Test func aMessageThatDoesNotFollowIsSkippedForTheReasonThatItHas() throws {
    var bench = Bench()
    try bench.begin()
    let used = ObjectID(high: 5, low: 5)
    #expect(try bench.read(bench.next(id: used)) == "taken 1")
    #expect(try bench.read(bench.next(position: 2)) == "position")
    #expect(try bench.read(bench.next(position: 9)) == "position")
    #expect(try bench.read(bench.next(after: Digest(hashing: [1].rawSpan))) == "previousHash")
    #expect(try bench.read(bench.next(time: 1)) == "time")
    #expect(try bench.read(bench.next(id: used)) == "commitID")
    #expect(try bench.read([]) == "malformed")
    #expect(try bench.read([1, 9, 9]) == "malformed")
    #expect(try bench.read([2, 1]) == "malformed")
    let identity = StreamContent.identity(StreamFoldTests.store, payload: [])
    #expect(try bench.read(identity.bytes) == "repeatedIdentity")
    #expect(bench.fold.place.skippedCount == 9)
    #expect(try bench.read(bench.next()) == "taken 1")
  }

  @Test func damagedBytesOfACommitAreSkipped() throws {
    var bench = Bench()
    try bench.begin()
    let payload = try StreamPayload.bytes(of: [bench.next(body: "contents")])
    for index in payload.indices {
      var damaged = payload
      damaged[index] ^= 0x10
      #expect(try bench.read(Bench.message(damaged, 1, 0, 1)) != "taken 1", "byte \(index)")
    }
    #expect(try bench.read(Bench.message(payload.dropLast(), 1, 0, 1)) == "malformed")
    #expect(try bench.read(Bench.message(payload, 1, 0, 1)) == "taken 1")
  }

  @Test func aPayloadIsTakenAsAWholeOrNotAtAll() throws {
    var bench = Bench()
    try bench.begin()
    let (good, bad) = (bench.next(), bench.next(position: 4))
    #expect(try bench.read(good, bad) == "position")
    #expect(bench.fold.place.position == 1)
    #expect(try bench.read(good) == "taken 1")
  }

  @Test func anIDTwiceInAPayloadIsSkipped() throws {
    var bench = Bench()
    try bench.begin()
    let id = ObjectID(high: 3, low: 3)
    let first = bench.next(id: id)
    let second = PendingCommit(
      header: CommitHeader(
        position: 3, previousHash: first.hash, bodyDigest: first.header.bodyDigest, recordedAt: first.header.recordedAt,
        happenedAt: nil, commitID: id, author: nil, message: nil, eventCount: 0, bodySize: first.body.count,
        isModel: true),
      body: first.body, bodyVersion: 1, refersToLargeValues: false)
    #expect(try bench.read(first, second) == "commitID")
  }

  @Test func anIDOfALaterCommitOfTheNodeIsNew() throws {
    var bench = Bench()
    try bench.begin()
    let id = ObjectID(high: 4, low: 4)
    // The node reads the stream again, and has the commit at the same position.
    bench.knownIDs[id] = 2
    #expect(try bench.read(bench.next(id: id)) == "taken 1")
    // The node has a commit that the stream has lost, and another node has published the same write later.
    let (third, again) = (bench.next(), ObjectID(high: 7, low: 7))
    let fourth = PendingCommit(
      header: CommitHeader(
        position: 4, previousHash: third.hash, bodyDigest: third.header.bodyDigest,
        recordedAt: third.header.recordedAt, happenedAt: nil, commitID: again, author: nil, message: nil, eventCount: 0,
        bodySize: third.header.bodySize, isModel: true),
      body: third.body, bodyVersion: 1, refersToLargeValues: false)
    bench.knownIDs[again] = 3
    #expect(try bench.read(third, fourth) == "taken 2")
    bench.knownIDs[ObjectID(high: 6, low: 6)] = 1
    #expect(try bench.read(bench.next(id: ObjectID(high: 6, low: 6))) == "commitID")
  }

  @Test func partsJoinOnlyWithinTheirAttemptAndInOrder() throws {
    var bench = Bench()
    try bench.begin()
    let payload = try StreamPayload.bytes(of: [bench.next()])
    let (start, end) = (payload.prefix(10), payload.dropFirst(10))
    #expect(try bench.read(Bench.message(start, 1, 0, 2)) == "part")
    #expect(bench.fold.isInPayload)
    #expect((bench.fold.place.sequence, bench.fold.tip) == (1, 2))
    #expect(try bench.read(Bench.message(end, 2, 1, 2)) == "stray")
    #expect(try bench.read(Bench.message(end, 1, 1, 2)) == "stray")
    #expect(try bench.read(Bench.message(start, 1, 0, 2)) == "part")
    #expect(try bench.read(Bench.message(start, 3, 0, 2)) == "part")
    #expect(try bench.read(Bench.message(end, 3, 1, 2)) == "taken 1")
    #expect(bench.fold.place.sequence == 7)
    // Two stray parts, and two parts that were abandoned.
    #expect(bench.fold.place.skippedCount == 4)
  }

  @Test func aCommitAfterAnAbandonedPartIsTaken() throws {
    var bench = Bench()
    try bench.begin()
    #expect(try bench.read(Bench.message([1, 2, 3], 1, 0, 3)) == "part")
    #expect(try bench.read(bench.next()) == "taken 1")
    #expect(!bench.fold.isInPayload)
    #expect(bench.fold.place.skippedCount == 1)
  }

  @Test func aFoldGoesOnFromAPlaceAsItWouldHave() throws {
    var bench = Bench()
    try bench.begin()
    _ = try bench.read(bench.next())
    let last = try #require(bench.commits.last)
    var resumed = StreamFold(
      at: bench.fold.place, of: StreamFoldTests.store, hash: last.hash, recordedAt: last.header.recordedAt)
    let bytes = Bench.message(try StreamPayload.bytes(of: [bench.next()]), 1, 0, 1)
    guard case .taken = try resumed.fold(StreamMessage(sequence: 3, bytes: bytes), knownPosition: { _ in nil }) else {
      Issue.record("The commit was not taken.")
      return
    }
    _ = try bench.read(bytes)
    #expect(resumed.place == bench.fold.place)
  }

  @Test func aStreamOfAnotherStoreIsRefused() throws {
    var bench = Bench()
    let payload = try StreamPayload.bytes(of: [bench.next()])
    let bytes = StreamContent.identity(ObjectID(high: 8, low: 8), payload: payload).bytes
    #expect(throws: StoreError.self) { try bench.read(bytes) }
  }

  @Test func partsOfAPayloadFitTheirMessagesAndGiveItBack() throws {
    let payload = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
    let parts = StreamPart.parts(of: payload, attempt: .zero, messageSizeInBytes: 1_000)
    #expect(parts.allSatisfy { StreamContent.part($0).bytes.count < 1_000 })
    #expect(parts.flatMap(\.bytes) == payload)
    #expect(parts.map(\.index) == Array(0..<parts.count))
    for part in parts { #expect(try StreamContent(StreamContent.part(part).bytes) == .part(part)) }
  }
}
