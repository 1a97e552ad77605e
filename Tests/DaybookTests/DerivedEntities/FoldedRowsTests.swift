import DaybookEngine
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Rows and objects that are folded into temporary files, in transactions of a limited size.
@Suite(.hangLimit) struct FoldedRowsTests {
  /// Texts with an index and a constraint.
  private static let model = Model(entities: [
    Entity(
      name: "Text",
      attributes: [Attribute(name: "name", type: .string), Attribute(name: "text", type: .string, isOptional: true)],
      unique: [["name"]], indexes: [Index([SortTerm(path: ["text"])])])
  ])

  /// Copies the texts, and keeps the changes of the last commits alone.
  private struct TextProjection: Projection {
    let name = "texts"
    let version = 1
    let keepsHistory = false
    let entities = [
      DerivedEntity(
        Entity(
          name: "TextCopy",
          attributes: [
            Attribute(name: "name", type: .string), Attribute(name: "text", type: .string, isOptional: true),
          ], indexes: [Index([SortTerm(path: ["text"])])]),
        key: ["name"])
    ]

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      for id in commit.inserted("Text") + commit.changed("Text") {
        guard let text = try commit.after.get(id) else { continue }
        try rows.put("TextCopy", key: [text["name"]], ["text": text["text"]])
      }
    }
  }

  /// Writes more texts than a transaction of a fold takes.
  private func fill(_ store: Store) throws {
    for commit in 0..<30 {
      try store.write { tx in
        for number in 0..<10 {
          let text = String(repeating: "\(commit * number % 7)", count: 80_000)
          _ = try tx.insert("Text", ["name": .string("\(number * 31 % 10) \(commit)"), "text": .string(text)])
        }
      }
    }
  }

  private var options: StoreOptions {
    var options = StoreOptions.knowing(TextProjection())
    options.keptCommitCount = 3
    options.snapshotIntervalInEvents = 0
    return options
  }

  @Test func `a history is folded in several transactions`() throws {
    let copies = Request(entity: "TextCopy", sort: [SortTerm(path: ["text"])])
    try withTemporaryStore(FoldedRowsTests.model, options: options) { store in
      try fill(store)
      try store.projection("texts").catchUp()
      #expect(try store.at(11).fetch(copies).rows.count == 100)
      let history = try #require(store.keeper.histories.withLock { $0["texts"] })
      let count = history.environment.info.lastTransactionID
      #expect(count >= 3)
      #expect(try history.withRows { $0.checkpoint } == 31)
      // Rows that are complete stay as they are, and later ones continue with them.
      try store.write { _ = try $0.insert("Text", ["name": "last"]) }
      try store.projection("texts").catchUp()
      #expect(try store.at(2).fetch(copies).rows.count == 10)
      #expect(try store.keeper.histories.withLock { $0["texts"] } === history)
      #expect(try history.withRows { $0.checkpoint } == 32)
      #expect(history.environment.info.lastTransactionID == count + 1)
      let verification = try store.verify()
      #expect(verification.faults.isEmpty)
    }
  }

  @Test func `objects are folded in several transactions, and their indexes are made in others`() throws {
    try withTemporaryStore(FoldedRowsTests.model) { store in
      try fill(store)
      let rows = Request(entity: "Text", sort: [SortTerm(path: ["text"])])
      try store.read { reader in
        let folded = try FoldedState(reader.resolvedModel, reader.dependents)
        try reader.journal.forEachCommit(from: 1, through: reader.position) { commit in
          try folded.fold(commit)
          guard commit.header.position == reader.position else { return true }
          let count = folded.environment.info.lastTransactionID
          #expect(count >= 1)
          // What a projection reads of the commit is the same before and after its first request.
          let states = folded.states(around: commit)
          let last = try #require(try reader.fetch(rows).rows.first)
          #expect(try states.after.object(last.id) == last)
          try states.requireIndexes()
          #expect(folded.environment.info.lastTransactionID >= count + 3)
          #expect(try states.after.object(last.id) == last)
          let found = try StoreReader(states.after, at: reader.position).fetch(rows)
          #expect(try found.rows == reader.fetch(rows).rows && found.rows.count == 300)
          return true
        }
      }
    }
  }
}
