import DaybookModel
import DaybookQuery
import DaybookTestSupport
import DaybookTools
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Damage of commits in the journal, found by every kind of reading.
@Suite(.hangLimit) struct JournalDamageTests {
  private static let roundCount = Rounds.of(25, "DAYBOOK_DAMAGE_ROUNDS")

  /// Returns the result of reading: its text, or the error.
  private func outcome(_ body: () throws -> String) -> Result<String, StoreError> {
    do {
      return .success(try body())
    } catch let error as StoreError {
      return .failure(error)
    } catch {
      return .failure(StoreError(.inputOutput, "another error: \(error)"))
    }
  }

  /// The ways in which commits are read, each with its whole output.
  private let ways: [(name: String, read: (Store) throws -> String)] = [
    ("export", { String(decoding: try Exporter($0).bytes(), as: UTF8.self) }),
    (
      "log",
      { store in
        var text = ""
        var log = try store.log()
        while let commit = try log.next() { text += "\(commit)\n" }
        return text
      }
    ),
    (
      "blame",
      { store in
        let recipes = try store.fetch(Request(entity: "Recipe")).sections.flatMap(\.rows)
        return try recipes.map { "\(try store.blame(of: $0.id))" }.joined(separator: "\n")
      }
    ),
    ("difference", { "\(try $0.difference(of: Request(entity: "Recipe"), from: 1))" }),
    (
      "past",
      { store in
        try (1...store.position.number).map { position in
          let results = try store.at(Position(position)).fetch(Request(entity: "Recipe"))
          return results.sections.flatMap(\.rows).map { "\($0)" }.joined(separator: "\n")
        }.joined()
      }
    ),
    ("head", { "\(try $0.statistics().hash)" }),
    ("state", { "\(try $0.projectionRows())" }),
    (
      "rebuild",
      { store in
        try store.rebuild()
        return "\(try store.projectionRows())"
      }
    ),
  ]

  @Test func `a damaged commit is named by all that read it, and never served`() throws {
    try Seeds.run(1) { seed in
      var random = SeededRandom(seed: seed)
      let directory = try TemporaryDirectory()
      let path = directory.path("store")
      try BusyStore.make(at: path, seed: seed, commitCount: 25, hasLargeCommits: true)
      let store = try Store(at: path)
      let sound = try ways.map { try $0.read(store) }
      let head = try store.position
      store.close()
      var found = 0
      for round in 0..<Self.roundCount {
        let copy = directory.path("copy")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let position = Position(UInt64(random.number(1...Int(head.number))))
        let damage = try flip(position, in: copy, &random)
        let name = "seed \(seed), round \(round), commit \(position), \(damage)"
        // Rebuilding projections would need the commit; trusted projections do not.
        if let opened = try? Store(at: copy) {
          for (index, way) in ways.enumerated() {
            switch outcome({ try way.read(opened) }) {
            case .success(let text): #expect(text == sound[index], "\(name): \(way.name) gives something else")
            case .failure(let error):
              found += 1
              #expect(
                error.code == .damaged && "\(error)".contains("ommit \(position)"), "\(name): \(way.name): \(error)")
            }
          }
          opened.close()
        } else {
          found += 1
        }
        let faults = try Store.verify(at: copy).faults
        #expect(faults.contains { $0.place.hasPrefix("commit \(position)") }, "\(name): \(faults)")
        try FileManager.default.removeItem(atPath: copy)
      }
      #expect(found >= Self.roundCount)
    }
  }

  /// Flips a bit of a commit's bytes.
  private func flip(_ position: Position, in path: String, _ random: inout SeededRandom) throws -> String {
    var damage = ""
    try RawStore.change(path, "journal") { transaction in
      let table = try #require(try transaction.openTable("journal", create: false))
      var chunks: [UInt32] = []
      var cursor = try transaction.snapshot.makeCursor(in: table)
      var isValid = try cursor.seek(to: JournalKey(position: position, chunk: 0).bytes.rawSpan)
      while isValid, try JournalKey(cursor.key).position == position {
        if !cursor.value.isEmpty { chunks.append(try JournalKey(cursor.key).chunk) }
        isValid = try cursor.moveToNext()
      }
      let key = JournalKey(position: position, chunk: random.pick(chunks)).bytes
      let found = try transaction.snapshot.unsafeValue(for: key.rawSpan, in: table)
      let stored = try #require(found)
      var value = [UInt8](stored.unsafeSpan)
      let (byte, bit) = (random.number(0...(value.count - 1)), random.number(0...7))
      value[byte] ^= 1 << UInt8(bit)
      try transaction.put(key, value, in: table)
      damage = "byte \(byte) of \(value.count), bit \(bit)"
    }
    return damage
  }

  private static let model = Model(entities: [
    Entity(name: "Note", attributes: [Attribute(name: "text", type: .string, isOptional: true)])
  ])

  @Test func `a commit takes the hash of the one before it from the journal`() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: Self.model)
    try store.write { _ = try $0.insert("Note") }
    store.close()
    try RawStore.change(store.path, "projections") { transaction in
      let table = try #require(try transaction.openTable(BuiltInTablesState.tableName, create: false))
      let key = BuiltInTablesState.key
      let row = try transaction.snapshot.unsafeValue(for: key.rawSpan, in: table)
      let stored = row.flatMap { BuiltInTablesState($0.unsafeSpan) }
      var state = try #require(stored)
      state.checkpoint.hash = .zero
      try transaction.put(BuiltInTablesState.key, state.bytes, in: table)
    }
    let again = try Store(at: store.path)
    try again.write { _ = try $0.insert("Note") }
    try closeAndVerify(again)
  }

  @Test func `a damaged row of a commit id is not taken for a commit`() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: Self.model)
    let id = ObjectID(UUID())
    let info = CommitInfo(commitID: id)
    _ = try store.commit(info) { _ = try $0.insert("Note") }
    store.close()
    try RawStore.change(store.path, "journal") { transaction in
      let table = try #require(try transaction.openTable("commit ids", create: false))
      var key: [UInt8] = []
      key.append(id)
      try transaction.put(key, [0, 0, 0, 0, 0, 0, 0, 1], in: table)
    }
    let again = try Store(at: store.path)
    let error = #expect(throws: StoreError.self) { try again.commit(info) { _ = try $0.insert("Note") } }
    #expect(error?.code == .damaged)
    again.close()
  }

  @Test func `a model with a known commit id is answered with its position`() throws {
    try withTemporaryStore(Self.model) { store in
      var later = Self.model
      later.entities[0].attributes.append(Attribute(name: "stars", type: .integer, isOptional: true))
      var latest = later
      latest.entities[0].attributes.append(Attribute(name: "more", type: .integer, isOptional: true))
      let ids = [ObjectID(UUID()), ObjectID(UUID())]
      _ = try store.commit(CommitInfo(commitID: ids[0])) { _ = try $0.insert("Note") }
      #expect(try store.apply(later, info: CommitInfo(commitID: ids[1])).position == 3)
      for (id, position) in zip(ids, [2, 3] as [Position]) {
        let answer = try store.apply(latest, info: CommitInfo(commitID: id))
        #expect(answer.position == position && answer.steps.isEmpty)
      }
      #expect(try store.position == 3)
      let refused = CommitInfo(when: .untouched(ObjectID(UUID()), since: 9))
      let error = #expect(throws: StoreError.self) { try store.apply(latest, info: refused) }
      #expect(error?.code == .notFound)
      #expect(try store.position == 3)
    }
  }

  @Test func `each damaged bit of a subscription is found`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: Self.model)
    for _ in 0..<12 { try store.write { _ = try $0.insert("Note") } }
    try store.subscription("mail").acknowledge(5)
    store.close()
    let key = Array("mail".utf8)
    func change(_ body: ([UInt8]) -> [UInt8]) throws {
      try RawStore.change(path, "journal") { transaction in
        let table = try #require(try transaction.openTable("subscriptions", create: false))
        let found = try transaction.snapshot.unsafeValue(for: key.rawSpan, in: table)
        let row = try #require(found)
        try transaction.put(key, body([UInt8](row.unsafeSpan)), in: table)
      }
    }
    for bit in 0..<128 {
      let flip = { (row: [UInt8]) in
        var row = row
        row[bit / 8] ^= 1 << UInt8(bit % 8)
        return row
      }
      try change(flip)
      if bit % 9 == 0 {
        let faults = try Store.verify(at: path).faults
        #expect(faults.map(\.place) == ["table subscriptions"], "bit \(bit): \(faults)")
      }
      let opened = try Store(at: path)
      let error = #expect(throws: StoreError.self) { try opened.subscription("mail").position() }
      #expect(error?.code == .damaged)
      opened.close()
      try change(flip)
    }
    // A row of an earlier version has no seal.
    try change { Array($0.prefix(8)) }
    let opened = try Store(at: path)
    #expect(try opened.subscription("mail").position() == 5)
    try opened.subscription("mail").acknowledge(7)
    #expect(try opened.subscription("mail").position() == 7)
    try closeAndVerify(opened)
  }
}
