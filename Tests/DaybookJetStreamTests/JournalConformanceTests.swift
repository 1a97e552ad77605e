#if JetStream

import Daybook
import DaybookEngine
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

/// What each kind of journal does: kept in LMDB alone, or with a stream in memory, on one server of NATS, and on three.
@Suite(.hangLimit, .registersJetStream) struct JournalConformanceTests {
  typealias Kind = JournalBench.Kind

  // Appending.

  @Test(arguments: Kind.allCases) func commitsAreAppendedInAChain(_ kind: Kind) throws {
    let bench = try JournalBench(kind)
    for number in 0..<20 { #expect(try bench.note("\(number)", by: number).position.number == UInt64(number + 2)) }
    try bench.catchUp()
    for number in 0...1 {
      try bench[number].files.withJournal { journal in
        var (hash, time, position) = (Digest.zero, Timestamp(microseconds: .min), Position.empty)
        try journal.forEachCommit(from: 1, through: nil) { commit in
          #expect(commit.header.position == position.next)
          #expect(commit.header.previousHash == hash)
          #expect(commit.header.recordedAt >= time)
          (hash, time, position) = (commit.hash, commit.header.recordedAt, commit.header.position)
          return true
        }
        #expect(try journal.head() == 21)
        #expect(position == 21)
      }
    }
    try bench.finish()
  }

  @Test(arguments: Kind.allCases) func concurrentWritersAppendEachCommitOnce(_ kind: Kind) async throws {
    let bench = try JournalBench(kind)
    let (one, two) = (bench.one, bench.two)
    let positions = try await withThrowingTaskGroup(of: (Int, Position).self) { group in
      for number in 0..<60 {
        let store = number.isMultiple(of: 2) ? one : two
        group.addTask {
          let position = try await store.write(message: "\(number)") { tx in
            _ = try tx.insert("Note", ["text": "a"])
            return tx.position
          }
          return (number, position)
        }
      }
      return try await group.reduce(into: [Int: Position]()) { $0[$1.0] = $1.1 }
    }
    try bench.catchUp()
    #expect(Set(positions.values.map(\.number)) == Set(2...61))
    for number in 0...1 {
      var log = try bench[number].log(from: 2)
      while let commit = try log.next() {
        #expect(positions[Int(commit.message ?? "") ?? -1] == commit.position)
      }
    }
    try bench.finish()
  }

  @Test(arguments: Kind.allCases) func aWriteThatFailsAppendsNothing(_ kind: Kind) throws {
    let bench = try JournalBench(kind)
    try bench.note("a")
    #expect(throws: Mismatch.self) {
      try bench.one.write { tx in
        _ = try tx.insert("Note", ["text": "b"])
        throw Mismatch("on purpose")
      }
    }
    #expect(throws: StoreError.self) { try bench.one.write { _ = try $0.insert("Note", ["text": 7]) } }
    try bench.catchUp()
    #expect(try bench.two.position == 2)
    try bench.finish()
  }

  // Appending under a condition.

  @Test(arguments: Kind.allCases) func aConditionThatFailsAppendsNothing(_ kind: Kind) throws {
    let bench = try JournalBench(kind)
    let (id, position) = try bench.note("a")
    try bench.two.write(CommitInfo(when: .untouched(id, since: position))) { try $0.set(id, ["text": "b"]) }
    let error = #expect(throws: StoreError.self) {
      try bench.one.write(CommitInfo(when: .untouched(id, since: position))) { try $0.set(id, ["text": "c"]) }
    }
    #expect(error?.code == .conditionFailed)
    #expect(try bench.one.position == 3)
    #expect(try bench.one.get(id)?["text"] == "b")
    try bench.finish()
  }

  @Test(arguments: Kind.allCases) func ofTwoConditionalWritesOneIsAppended(_ kind: Kind) async throws {
    let bench = try JournalBench(kind)
    let (one, two) = (bench.one, bench.two)
    let (id, first) = try bench.note("0")
    var position = first
    for round in 1...10 {
      let outcomes = await withTaskGroup(of: Result<Position, any Error>.self) { [position] group in
        for store in [one, two] {
          group.addTask {
            do {
              return .success(
                try await store.write(CommitInfo(when: .untouched(id, since: position))) { tx in
                  try tx.set(id, ["text": .string("\(round)")])
                  return tx.position
                })
            } catch {
              return .failure(error)
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let written = outcomes.compactMap { try? $0.get() }
      #expect(written == [position.next])
      for case .failure(let error) in outcomes { #expect((error as? StoreError)?.code == .conditionFailed) }
      position = written.first ?? position.next
    }
    try bench.finish()
  }

  @Test(arguments: Kind.allCases) func aCommitIDIsAppendedOnce(_ kind: Kind) throws {
    let bench = try JournalBench(kind)
    let commitID = ObjectID(UUID())
    let positions = try (0..<4).map { number in
      try bench[number].commit(CommitInfo(commitID: commitID)) { _ = try $0.insert("Note", ["text": "once"]) }.position
    }
    #expect(positions == [2, 2, 2, 2])
    try bench.catchUp()
    for number in 0...1 {
      #expect(try bench[number].position == 2)
      #expect(try bench[number].files.withJournal { try $0.position(ofCommitID: commitID) } == 2)
    }
    try bench.finish()
  }

  // Following.

  @Test(arguments: Kind.allCases) func followersOfBothWritersGetEachCommitInOrder(_ kind: Kind) async throws {
    let bench = try JournalBench(kind)
    for number in 0..<10 { try noteFromBlockingCode(bench, number) }
    let followers = [bench.one, bench.two].map { store in
      Task {
        var hashes: [Digest] = []
        for try await commit in store.commits(from: 1) {
          hashes.append(commit.hash)
          if commit.position == 41 { break }
        }
        return hashes
      }
    }
    for number in 10..<40 { try noteFromBlockingCode(bench, number) }
    try noteFromBlockingCode(bench, 40)
    for follower in followers {
      let hashes = try await follower.value
      #expect(hashes == Array(try bench.one.hashes().prefix(41)))
    }
    try bench.finish()
  }

  /// The blocking form, also where a test is asynchronous.
  private func noteFromBlockingCode(_ bench: JournalBench, _ number: Int) throws {
    try bench.note("\(number)", by: number)
  }

  // Random access.

  @Test(arguments: Kind.allCases) func eachPositionIsFoundByItself(_ kind: Kind) throws {
    let bench = try JournalBench(kind)
    var model = JournalBench.model
    let ids = try (0..<12).map { number in
      let info = CommitInfo(author: "author \(number)", commitID: ObjectID(UUID()))
      let made = try bench[number].commit(info) {
        _ = try $0.insert("Note", ["text": "t", "number": .integer(Int64(number))])
      }
      if number == 5 {
        model.entities[0].attributes.append(Attribute(name: "more", type: .boolean, defaultValue: false))
        try bench.two.apply(model)
      }
      return (id: info.commitID, position: made.position)
    }
    try bench.catchUp()
    for number in 0...1 {
      try bench[number].files.withJournal { journal in
        #expect(try journal.modelPositions() == [1, 8])
        for (id, position) in ids.shuffled() {
          #expect(try journal.position(ofCommitID: try #require(id)) == position)
          #expect(try journal.header(at: position).header.commitID == id)
          #expect(try journal.withCommit(at: position) { $0.header.position } == position)
        }
        var read: [Position] = []
        try journal.forEachCommit(from: 4, through: 9) { commit in
          read.append(commit.header.position)
          return commit.header.position < 7
        }
        #expect(read == [4, 5, 6, 7])
        #expect(throws: StoreError.self) { try journal.header(at: 15) }
        #expect(try journal.position(ofCommitID: ObjectID(UUID())) == nil)
      }
      for (index, made) in ids.enumerated() {
        let past = try bench[number].at(made.position).fetch(Request(entity: "Note")).rows
        #expect(past.count == index + 1)
      }
    }
    try bench.finish()
  }

  // Recovery.

  @Test(arguments: Kind.allCases) func theJournalIsTheSameAfterARestart(_ kind: Kind) throws {
    let bench = try JournalBench(kind)
    let data = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    for number in 0..<10 { try bench.note("\(number)", by: number) }
    let large = try bench.two.write { try $0.insert("Note", ["text": "large", "data": .data(data)]) }
    try bench.catchUp()
    let hashes = try bench.one.hashes()
    for round in 0..<2 {
      try bench.restart(withoutProjections: round == 1)
      for number in 0...1 {
        #expect(try Array(bench[number].hashes().prefix(hashes.count)) == hashes)
        #expect(try bench[number].read { try $0.fetch(Request(entity: "Note")).rows.count } >= 11)
        guard case .large(let value)? = try bench[number].get(large)?["data"] else {
          throw Mismatch("The value is gone.")
        }
        #expect(try value.bytes() == data)
      }
      #expect(try bench.note("after", by: round).position.number == UInt64(hashes.count + 1 + round))
    }
    try bench.finish()
  }
}

#endif
