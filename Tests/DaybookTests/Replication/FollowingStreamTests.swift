import Daybook
import DaybookEngine
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

/// Following a stream, joining it, and what a node does when the stream has lost messages.
@Suite(.hangLimit) struct FollowingStreamTests {
  /// Waits until a condition holds.
  private func wait(_ condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while try !condition() {
      guard ContinuousClock.now < deadline else { throw Mismatch("The condition did not come to hold.") }
      Thread.sleep(forTimeInterval: 0.005)
    }
  }

  /// Expects that a node which reads the stream finds that it is forked, and closes it.
  private func expectFork(of node: Store, at position: Position) throws {
    let error = #expect(throws: StoreError.self) { try node.replication?.wait() }
    #expect(error?.code == .conflict)
    #expect(try node.replication?.status().fork?.position == position)
    node.close()
  }

  @Test func aFollowerTakesCommitsAndFeedsDeliverThem() async throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two", options: ReplicationBench.options(follows: true))
    let start = try two.position
    let feed = Task {
      var positions: [Position] = []
      for try await change in two.changes(of: Request(entity: "Note"), from: start, granularity: .everyCommit) {
        positions.append(change.to)
        if positions.count == 3 { break }
      }
      return positions
    }
    for text in ["a", "b", "c"] { try one.note(text) }
    #expect(try await feed.value == [2, 3, 4])
    #expect(two.replication?.isFollowing == true)
    try bench.finish(one, two)
  }

  @Test func aNodeStartsFromABackupAndTakesTheRest() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    for number in 0..<5 { try one.note("\(number)") }
    let backup = bench.directory.path("backup")
    try one.backUp(to: backup)
    try one.note("later")
    let two = try Replication.join(
      at: bench.directory.path("two"), fromBackup: backup,
      options: ReplicationBench.options().replicated(on: bench.server.address))
    #expect(try two.texts().count == 6)
    #expect(try two.replication?.status().node.id != one.replication?.status().node.id)
    try two.note("mine")
    try bench.finish(one, two)
  }

  @Test func aBackupOfAnotherStoreCannotJoin() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    try one.note("a")
    let other = try Store(at: bench.directory.path("other"), model: ReplicationBench.model)
    let backup = bench.directory.path("backup")
    try other.backUp(to: backup)
    let error = #expect(throws: StoreError.self) {
      try Replication.join(
        at: bench.directory.path("two"), fromBackup: backup,
        options: ReplicationBench.options().replicated(on: bench.server.address))
    }
    #expect(error?.code == .conflict)
    #expect(!FileManager.default.fileExists(atPath: bench.directory.path("two")))
    try bench.finish(one)
  }

  @Test func aStreamHoldsOneStore() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let error = #expect(throws: StoreError.self) { try bench.create("two") }
    #expect(error?.code == .exists)
    try bench.finish(one)
  }

  @Test func anExistingStoreBecomesTheFirstNode() throws {
    let bench = try ReplicationBench(messageSizeInBytes: 4_096)
    let path = bench.directory.path("one")
    let local = try Store(at: path, model: ReplicationBench.model)
    let data = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    try local.write { _ = try $0.insert("Note", ["text": "large", "data": .data(data)]) }
    for number in 0..<50 { try local.note("\(number)") }
    let hashes = try local.hashes()
    let error = #expect(throws: StoreError.self) { try replicate(path, bench) }
    #expect(error?.code == .exists)
    local.close()
    let one = try replicate(path, bench)
    #expect(try one.hashes() == hashes)
    let two = try bench.join("two")
    #expect(try two.hashes() == hashes)
    try two.note("mine")
    try bench.finish(one, two)
    #expect(throws: StoreError.self) { try replicate(path, bench) }
  }

  private func replicate(_ path: String, _ bench: ReplicationBench) throws -> Store {
    try Replication.begin(at: path, options: ReplicationBench.options().replicated(on: bench.server.address))
  }

  @Test func aStoreStaysLocalIfTheStreamHasAnother() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let path = bench.directory.path("other")
    try Store(at: path, model: ReplicationBench.model).close()
    #expect(throws: StoreError.self) { try replicate(path, bench) }
    // The stream is begun by another node between the question and the first message.
    let late = try ReplicationBench()
    let first = Locked(Store?.none)
    late.server.beforePublishing { number in
      guard number == 1 else { return }
      first.withLock { $0 = try? late.create() }
    }
    let error = #expect(throws: StoreError.self) { try replicate(path, late) }
    #expect(error?.code == .conflict)
    let local = try Store(at: path)
    #expect(local.replication == nil)
    try local.note("mine")
    try closeAndVerify(local)
    try bench.finish(one)
    try late.finish(try #require(first.withLock { $0 }))
  }

  @Test func aStoreWhoseCommitsWereCutOffPublishesTheRestLater() throws {
    let bench = try ReplicationBench(messageSizeInBytes: 4_096)
    let path = bench.directory.path("one")
    let local = try Store(at: path, model: ReplicationBench.model)
    for number in 0..<200 { try local.note("\(number)") }
    local.close()
    bench.server.beforePublishing { [server = bench.server] number in server.isCut = number == 3 }
    bench.server.loseMessage { $0 == 3 }
    let error = #expect(throws: StoreError.self) { try replicate(path, bench) }
    #expect(error?.code == .unavailable)
    bench.server.beforePublishing(nil)
    bench.server.loseMessage(nil)
    bench.server.isCut = false
    let one = try Store(at: path, options: ReplicationBench.options())
    #expect(one.replication != nil)
    let two = try bench.join("two")
    // A write waits for the payload that was begun, and publishes what the stream lacks before its own commit.
    try one.note("after")
    try two.replication?.wait()
    #expect(try two.texts().count == 201)
    try bench.finish(one, two)
  }

  @Test func theTailThatAStreamLostIsPublishedAgain() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    for number in 0..<5 { try one.note("\(number)") }
    bench.server.truncate(to: 3)
    try one.note("after")
    let two = try bench.join("two")
    #expect(try two.texts() == ["0", "1", "2", "3", "4", "after"])
    try bench.finish(one, two)
  }

  @Test func aLostTailIsNoticedThoughTheConnectionLasts() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    for number in 0..<5 { try one.note("\(number)") }
    bench.server.truncate(to: 3, endsConnections: false)
    try one.note("after")
    let two = try bench.join("two")
    #expect(try two.texts() == ["0", "1", "2", "3", "4", "after"])
    try bench.finish(one, two)
  }

  @Test func aFollowerThatPublishesNothingRefillsTheStream() throws {
    let bench = try ReplicationBench()
    let one = try bench.create(options: ReplicationBench.options(follows: true))
    for number in 0..<5 { try one.note("\(number)") }
    try wait { one.replication?.isFollowing == true }
    bench.server.truncate(to: 3, endsConnections: false)
    try wait { bench.server.messages.count == 4 }
    let two = try bench.join("two")
    #expect(try two.texts() == ["0", "1", "2", "3", "4"])
    try bench.finish(one, two)
  }

  /// Node one alone has two commits, the connections last, and node two writes others.
  private func replaceTail(by texts: [String], _ bench: ReplicationBench, _ one: Store) throws -> Store {
    try one.note("both")
    let two = try bench.join("two")
    try one.note("lost")
    try one.note("lost too")
    bench.server.truncate(to: 2, endsConnections: false)
    for text in texts { try two.note(text) }
    return two
  }

  @Test func aMessageThatDoesNotFollowMakesANodeCompareAll() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try replaceTail(by: ["a", "b", "c"], bench, one)
    try expectFork(of: one, at: 3)
    try bench.finish(two)
  }

  @Test func theStatusSaysThatAStreamDiffersBeforeItIsCompared() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    #expect(try one.replication?.status().stream?.differs == false)
    let two = try replaceTail(by: ["a", "b"], bench, one)
    let status = try #require(try one.replication?.status())
    #expect(status.stream?.differs == true)
    #expect(status.fork == nil)
    #expect(try two.replication?.status().stream?.differs == false)
    try expectFork(of: one, at: 3)
    try bench.finish(two)
  }

  @Test func aNodeWhoseStreamIsGoneSaysHowItIsMadeAnew() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    bench.server.remove()
    let error = #expect(throws: StoreError.self) { try one.replication?.wait() }
    #expect(error?.code == .notFound)
    #expect(error?.advice?.contains("make an empty one") == true)
    bench.server.recreate()
    try one.note("after")
    try bench.finish(one)
  }

  @Test func aNodeThatPublishedAfterForeignMessagesFindsTheFork() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try replaceTail(by: ["a", "b"], bench, one)
    // The stream has as many messages as node one expects, and takes one that follows from others.
    try one.note("falsely acknowledged")
    try two.replication?.wait()
    #expect(try two.texts() == ["a", "b", "both"])
    #expect(try two.replication?.status().skippedMessageCount == 1)
    try two.note("c")
    try expectFork(of: one, at: 3)
    try bench.finish(two)
  }

  @Test func aReportOfOtherCommitsMakesAFollowerCompareAll() throws {
    let bench = try ReplicationBench()
    let one = try bench.create(options: ReplicationBench.options(follows: true))
    try wait { one.replication?.isFollowing == true }
    let two = try replaceTail(by: ["a", "b"], bench, one)
    // The stream has this message now, so that it agrees with the node from there on. What node two reported is enough.
    _ = try? one.note("falsely acknowledged")
    try wait { try one.replication?.status().fork?.position == 3 }
    one.close()
    try bench.finish(two)
  }

  @Test func aStreamThatWasMadeAnewIsFilledFromANode() throws {
    let bench = try ReplicationBench(messageSizeInBytes: 4_096)
    let one = try bench.create()
    let data = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 11) }
    try one.write { _ = try $0.insert("Note", ["text": "large", "data": .data(data)]) }
    for number in 0..<50 { try one.note("\(number)") }
    bench.server.recreate()
    try one.note("after")
    let two = try bench.join("two")
    #expect(try two.position == 53)
    try bench.finish(one, two)
  }

  @Test func aNodeWhoseCommitsWereLostAndReplacedIsForkedAndSaysWhere() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    try one.note("both")
    let two = try bench.join("two")
    try one.note("lost")
    try one.note("lost too")
    bench.server.truncate(to: 2)
    try two.note("instead")
    let error = #expect(throws: StoreError.self) { try one.note("never") }
    #expect(error?.code == .conflict)
    let fork = try #require(try one.replication?.status().fork)
    #expect(fork.position == 3)
    #expect(fork.ownHash == (try one.hashes())[2])
    #expect(fork.streamHash == (try two.hashes())[2])
    #expect(try one.texts() == ["both", "lost", "lost too"])
    // The fork outlasts the process, and the stream's further messages.
    one.close()
    try two.note("more")
    let again = try Store(at: one.path, options: ReplicationBench.options())
    #expect(throws: StoreError.self) { try again.note("never") }
    let error2 = #expect(throws: StoreError.self) { try Replication.resolve(at: one.path) }
    #expect(error2?.code == .busy)
    try closeAndVerify(again)
    #expect(try Replication.resolve(at: one.path) == 2)
    let resolved = try Store(at: one.path, options: ReplicationBench.options())
    #expect(try resolved.texts() == ["both"])
    try resolved.note("back")
    #expect(try resolved.texts() == ["back", "both", "instead", "more"])
    #expect(try resolved.replication?.status().fork == nil)
    try bench.finish(two, resolved)
  }

  @Test func commitsOfTheStreamHaveTheirEffectsAfterAFork() throws {
    let bench = try ReplicationBench()
    let sent = Shared<[Position]>([])
    var options = ReplicationBench.options()
    options.projections = [
      ClosureProjection("mailer", version: 1, mode: .inline) { commit, rows in
        let position = commit.position
        commit.afterCommit { sent.change { $0.append(position) } }
        try rows.add(commit.eventCount, to: "count", of: "mailer")
      }
    ]
    let one = try bench.create(options: options)
    try one.note("both")
    let two = try bench.join("two")
    let data = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 3) }
    try one.write { _ = try $0.insert("Note", ["text": "lost", "data": .data(data)]) }
    try one.note("lost too")
    #expect(sent.now == [2, 3, 4])
    bench.server.truncate(to: 2)
    for number in 0..<3 { try two.note("instead \(number)") }
    #expect(throws: StoreError.self) { try one.replication?.wait() }
    one.close()
    #expect(try Replication.resolve(at: one.path, options: options) == 2)
    let resolved = try Store(at: one.path, options: options)
    try resolved.replication?.wait()
    #expect(sent.now == [2, 3, 4, 3, 4, 5])
    #expect(try resolved.numbers(of: "mailer") == ["count": 4])
    try bench.finish(two, resolved)
  }

  @Test func aMessageInThePlaceOfAFoldedOneIsNoticedThoughTheStreamIsAsLong() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    try one.note("lost")
    let two = try bench.join("two")
    two.close()
    bench.server.truncate(to: 1)
    // A node that never had the commit writes another one under the same number.
    try FileManager.default.removeItem(atPath: two.path)
    let three = try bench.join("three")
    try three.note("instead")
    try expectFork(of: one, at: 2)
    try bench.finish(three)
  }

  @Test func foreignMessagesAreSkippedByEveryNode() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    bench.server.add(Array("hello".utf8))
    let replayed = bench.server.messages[0]
    bench.server.add(replayed)
    try one.note("a")
    try bench.finish(one, two)
    for name in ["one", "two"] {
      let store = try Store(at: bench.directory.path(name), options: ReplicationBench.options())
      #expect(try store.replication?.status().skippedMessageCount == 2)
      store.close()
    }
  }

  @Test func aCommitThatNoStoreCanHaveMadeStopsANode() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let last = try one.files.withJournal { try $0.header(at: 1) }
    // An event about an object that does not exist.
    let body: [UInt8] = [1, 2, 3, 4]
    let commit = PendingCommit(
      header: CommitHeader(
        position: 2, previousHash: last.hash, bodyDigest: Digest(hashing: body.rawSpan),
        recordedAt: last.header.recordedAt, happenedAt: nil, commitID: nil, author: nil, message: nil, eventCount: 1,
        bodySize: body.count, isModel: false),
      body: body)
    let part = StreamPart(
      attempt: .zero, index: 0, count: 1, bytes: try StreamPayload.bytes(of: [commit]))
    bench.server.add(StreamContent.part(part).bytes)
    let error = #expect(throws: StoreError.self) { try one.replication?.wait() }
    #expect(error?.code == .damaged)
    #expect(try one.position == 1)
    try closeAndVerify(one)
  }

  @Test func anotherProcessOfTheNodeTakesOverWhenTheFollowerEnds() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two", options: ReplicationBench.options(follows: true))
    try wait { two.replication?.isFollowing == true }
    let directory = StoreDirectory(two.path)
    // A descriptor of its own, as another process has.
    let lock = open(directory.path + "/follow.lock", O_RDWR | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX | LOCK_NB) != 0)
    two.close()
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let again = try Store(at: two.path, options: ReplicationBench.options(follows: true))
    try one.note("a")
    Thread.sleep(forTimeInterval: 0.1)
    #expect(try again.texts() == [])
    close(lock)
    try wait { try again.texts() == ["a"] }
    try bench.finish(one, again)
  }

  @Test func aFollowerGoesOnAfterTheConnectionWasCut() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two", options: ReplicationBench.options(follows: true))
    try wait { two.replication?.isFollowing == true }
    bench.server.isCut = true
    try wait { two.replication?.isFollowing == false }
    bench.server.isCut = false
    try one.note("a")
    try wait { try two.texts() == ["a"] }
    try bench.finish(one, two)
  }

  @Test func theAddressOfAJournalIsReadOrRefused() throws {
    let address = try JournalAddress(parsing: "nats://one:4223,two,[::1]:99/my-stream_1")
    #expect(address.servers == ["nats://one:4223", "nats://two:4222", "nats://[::1]:99"])
    #expect(address.stream == "my-stream_1")
    for text in [
      "", "one/two", "nats://one", "nats:///s", "nats://one/", "nats://one,/s", "nats://one:0/s", "nats://one:x/s",
      "nats://one/a.b", "nats://one/a b", "http://one/s", "nats://user:word@one/s", "nats://:4222/s",
    ] {
      #expect(throws: StoreError.self, "\(text)") { try JournalAddress(parsing: text) }
    }
  }

  @Test func theFileOfTheAddressIsForItsOwnerOnly() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let attributes = try FileManager.default.attributesOfItem(atPath: one.path + "/journal.json")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    one.close()
    try Data("{}".utf8).write(to: URL(fileURLWithPath: one.path + "/journal.json"))
    let error = #expect(throws: StoreError.self) { try Store(at: one.path) }
    #expect(error?.code == .damaged)
  }
}
