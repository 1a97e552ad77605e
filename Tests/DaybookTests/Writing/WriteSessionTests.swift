import DaybookEngine
import DaybookModel
import DaybookTestSupport
import Foundation
import LMDB
import Synchronization
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// A write session and its two halves, below the store's own verbs.
@Suite(.hangLimit) struct WriteSessionTests {
  private struct Stop: Error {}

  @discardableResult
  private func insert(_ name: String, in session: WriteSession, _ info: CommitInfo = CommitInfo()) throws -> ObjectID {
    try session.commit(info) { try $0.insert("Recipe", ["name": .string(name)]) }.result
  }

  @Test func aSessionReadsItsCommitsBeforeOthersDo() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let session = try WriteSession.begin(store.keeper)
      let id = try insert("a", in: session)
      #expect(try session.reader.find(id) != nil)
      #expect(session.head == 2)
      #expect(try store.position == 1)
      #expect(try session.finish() == nil)
      #expect(try store.get(id)?["name"] == "a")
    }
  }

  @Test func aSessionThatIsNotFinishedWritesNothing() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let rows = try store.projectionRows()
      do {
        let session = try WriteSession.begin(store.keeper)
        try insert("a", in: session)
      }
      #expect(try store.position == 1)
      #expect(try store.projectionRows() == rows)
    }
  }

  @Test func aCommitThatThrowsLeavesTheSessionAsItWas() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let session = try WriteSession.begin(store.keeper)
      let kept = try insert("a", in: session)
      let (head, hash) = (session.head, session.headHash)
      let dropped = Mutex<ObjectID?>(nil)
      #expect(throws: Stop.self) {
        try session.commit(CommitInfo()) { tx in
          let id = try tx.insert("Recipe", ["name": "b"])
          dropped.withLock { $0 = id }
          throw Stop()
        }
      }
      #expect(session.head == head && session.headHash == hash)
      #expect(try dropped.withLock { $0 }.flatMap { try session.reader.find($0) } == nil)
      try session.finish()
      #expect(try store.position == head)
      #expect(try store.get(kept) != nil)
    }
  }

  /// Commits that fail are rolled back within the layer of the whole session.
  @Test func aSessionKeepsTheCommitsAroundThoseThatFail() throws {
    try SeededRandom.run { random in
      try withTemporaryStore(FeedModel.model) { store in
        var kept: [ObjectID: String] = [:]
        for _ in 0..<4 {
          let session = try WriteSession.begin(store.keeper)
          for _ in 0..<30 {
            var names = kept
            let fails = Int.random(in: 0..<3, using: &random) == 0
            do {
              _ = try session.commit(CommitInfo()) { tx in
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                  let name = "\(Int.random(in: 0..<1_000, using: &random))"
                  let id = names.keys.sorted().randomElement(using: &random)
                  switch (Int.random(in: 0..<4, using: &random), id) {
                  case (0, let id?):
                    try tx.delete(id)
                    names[id] = nil
                  case (1, let id?), (2, let id?):
                    try tx.rename(id, to: name)
                    names[id] = name
                  default:
                    names[try tx.insert("Recipe", ["name": .string(name)])] = name
                  }
                }
                if fails { throw Stop() }
              }
              kept = names
            } catch is Stop {}
            for id in Set(names.keys).union(kept.keys) {
              let isFound = try session.reader.find(id) != nil
              try #require(isFound == (kept[id] != nil))
            }
          }
          try session.finish()
          let rows = try store.fetch(FeedModel.byName).rows.map { ($0.id, $0["name"]) }
          try #require(rows.count == kept.count)
          for (id, name) in rows { try #require(kept[id].map { .string($0) } == name) }
          try #require(try store.verify().isSound)
        }
      }
    }
  }

  @Test func aRehearsalChangesNothing() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let session = try WriteSession.begin(store.keeper)
      try session.rehearse(CommitInfo()) { try $0.insert("Recipe", ["name": "a"]) }
      #expect(throws: StoreError.self) {
        try session.rehearse(CommitInfo()) { try $0.insert("Recipe", ["nothing": "a"]) }
      }
      #expect(session.head == 1)
      try session.finish()
      #expect(try store.position == 1)
      #expect(try store.fetch(Request(entity: "Recipe")).rows.isEmpty)
    }
  }

  @Test func eachCommitNamesTheHashOfTheOneBeforeIt() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let session = try WriteSession.begin(store.keeper)
      var hashes = [session.headHash]
      for name in ["a", "b", "c"] {
        try insert(name, in: session)
        hashes.append(session.headHash)
      }
      try session.finish()
      let headers = try store.files.withJournal { journal in try (2...4).map { try journal.header(at: Position($0)) } }
      #expect(headers.map(\.header.previousHash) == Array(hashes.dropLast()))
      #expect(headers.map(\.hash) == Array(hashes.dropFirst()))
    }
  }

  @Test func commitsAreRecordedInOrderWhenTheClockRunsBackward() throws {
    var options = StoreOptions()
    let times = Mutex<[Int64]>([50, 40, 60])
    options.clock = { Timestamp(microseconds: times.withLock { $0.isEmpty ? 100 : $0.removeFirst() }) }
    try withTemporaryStore(FeedModel.model, options: options) { store in
      let first = try store.files.withJournal { try $0.header(at: 1).header.recordedAt }
      let session = try WriteSession.begin(store.keeper)
      var recorded = [first]
      for name in ["a", "b", "c"] {
        try insert(name, in: session)
        recorded.append(session.lastRecordedAt)
      }
      #expect(recorded == recorded.sorted())
      #expect(recorded[1] == recorded[0], "a clock that runs backward stands still")
      #expect(recorded[3] > recorded[1])
    }
  }

  @Test func aSessionFirstFoldsWhatTheProjectionsLack() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = ObjectID(UUID())
      let commit = try commitOfInsertion(id, after: store)
      // Like a process that was killed between its two commits.
      let journal = try JournalWriter(
        store.keeper, changing: store.keeper.currentProjections, waitingAtMost: nil)
      try journal.append(commit)
      try journal.commit()
      let checkpoint = { try store.keeper.withProjections { try $0.state?.checkpoint.position } }
      #expect(try checkpoint() == 1)
      let session = try WriteSession.begin(store.keeper)
      #expect(session.head == 2)
      #expect(try session.reader.find(id) != nil)
      #expect(try checkpoint() == 2, "caught up in a session of its own")
      try session.finish()
      #expect(try store.verify().isSound)
    }
  }

  @Test func aJournalTransactionWithoutCommitsWritesNothing() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.write { try $0.insert("Recipe", ["name": "a"]) }
      let transactions = { try store.files.journalEnvironment.withSnapshot(\.transactionID) }
      let before = try transactions()
      let journal = try JournalWriter(
        store.keeper, changing: store.keeper.currentProjections, waitingAtMost: nil)
      #expect(journal.head == 2)
      try journal.commit()
      #expect(try transactions() == before)
    }
  }

  @Test func anAbortedProjectionsTransactionLeavesTheRows() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let rows = try store.projectionRows()
      let id = ObjectID(UUID())
      let commit = try commitOfInsertion(id, after: store)
      let opened = store.keeper.currentProjections
      let journal = try JournalWriter(store.keeper, changing: opened, waitingAtMost: nil)
      let projections = try ProjectionsWriter(
        store.keeper, opened, behind: journal, largeValues: LargeValueStage(over: nil), waitingAtMost: nil)
      #expect(!projections.didChange)
      #expect(try projections.fold(commit.header, body: commit.body.rawSpan, hash: commit.hash).isEmpty)
      #expect(projections.didChange)
      #expect(try projections.reader.find(id) != nil)
      #expect(projections.state.checkpoint == Checkpoint(2, hash: commit.hash))
      projections.abort()
      journal.abort()
      #expect(try store.projectionRows() == rows)
    }
  }

  @Test func aSessionWhoseMapIsFullIsOverAndTheWriterRunsTheWriteAgain() throws {
    var options = StoreOptions()
    options.journalMapSizeInBytes = 1 << 20
    options.projectionsMapSizeInBytes = 1 << 20
    try withTemporaryStore(FeedModel.model, options: options) { store in
      let name = String(repeating: "x", count: 3_000)
      do {
        let session = try WriteSession.begin(store.keeper)
        let full = #expect(throws: LMDBError.self) {
          for number in 0..<600 { try insert("\(number)\(name)", in: session) }
        }
        #expect(full?.isMapFull == true)
        #expect(throws: LMDBError.self) { try session.finish() }
      }
      #expect(try store.position == 1)
      var runCount = 0
      let ids = try store.writer.write { session in
        runCount += 1
        #expect(session.head == 1)
        return try (0..<600).map { try insert("\($0)\(name)", in: session) }
      }
      #expect(runCount > 1)
      #expect(try store.position == 601)
      #expect(try store.files.journalEnvironment.information().mapSizeInBytes > 1 << 20)
      for (number, id) in ids.enumerated() { #expect(try store.get(id)?["name"] == .string("\(number)\(name)")) }
      #expect(try store.verify().isSound)
    }
  }

  /// Returns a commit that inserts a recipe and follows the head of a store, which is left as it is.
  private func commitOfInsertion(_ id: ObjectID, after store: Store) throws -> PendingCommit {
    let other = try TemporaryDirectory()
    let copy = try Store(at: other.path("copy"), model: FeedModel.model, options: store.options)
    defer { copy.close() }
    var body: [UInt8] = []
    try copy.writer.write { session in
      try session.rehearse(CommitInfo()) { tx in
        try tx.insert("Recipe", ["name": "late"], id: id)
        body = session.builder.writer.bytes
      }
    }
    return try store.files.withJournal { journal in
      let last = try journal.header(at: journal.head())
      return PendingCommit(
        header: CommitHeader(
          position: last.header.position.next, previousHash: last.hash,
          bodyDigest: Digest(hashing: body.rawSpan), recordedAt: last.header.recordedAt, happenedAt: nil,
          commitID: nil, author: nil, message: nil, eventCount: 1, bodySize: body.count, isModel: false),
        body: body)
    }
  }
}
