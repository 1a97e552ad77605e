import Daybook
import DaybookTestSupport
import DaybookTools
import Testing

@Suite(.hangLimit) struct OperationRunnerTests {
  /// A source of lines that are available from the start.
  private struct Lines: OperationSource {
    var lines: [String]

    mutating func next() -> [UInt8]? { lines.isEmpty ? nil : Array(lines.removeFirst().utf8) }
    mutating func isReady() -> Bool { true }
  }

  private let model = Model(entities: [
    Entity(
      name: "Note", nameAttribute: "title", attributes: [Attribute(name: "title", type: .string)],
      unique: [["title"]])
  ])

  private func insert(_ title: String) -> String {
    #"{"insert": "Note", "values": {"title": "\#(title)"}}"#
  }

  @Test func nothingIsAcknowledgedThatTheStoreLacks() throws {
    let directory = try TemporaryDirectory()
    var options = StoreOptions()
    // The map grows for the second line, and the first one, which shares its session, is written again.
    options.journalMapSizeInBytes = 256 << 10
    options.projectionsMapSizeInBytes = 256 << 10
    let store = try Store(at: directory.path("notes"), model: model, options: options)
    let large = insert(String(repeating: "x", count: 8 << 20))
    var runner = OperationRunner(store: store, source: Lines(lines: [insert("a"), large, insert("b")]))
    var acknowledged: [Position] = []
    _ = try runner.run { acknowledged.append($0.position) }
    #expect(acknowledged == [2, 3, 4])
    #expect(try store.position == 4)
    #expect(try store.fetch(Request(entity: "Note")).rows.count == 3)
  }

  @Test func commitsThatAreThereShareAFlush() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("notes"), model: model)
    var runner = OperationRunner(store: store, source: Lines(lines: ["a", "b", "c"].map(insert)))
    var positions: [Position] = []
    let summary = try runner.run { positions.append($0.position) }
    #expect(positions == [2, 3, 4])
    #expect(summary.head == 4 && summary.commitCount == 3 && summary.eventCount == 3)
  }

  @Test func everyBatchNamesTheLineThatBreaksIt() throws {
    for size in 2...9 {
      for broken in 1..<size {
        let directory = try TemporaryDirectory()
        let store = try Store(at: directory.path("notes"), model: model)
        let titles = (0..<size).map { $0 == broken ? "0" : "\($0)" }
        var runner = OperationRunner(store: store, source: Lines(lines: titles.map(insert)), batchSize: size)
        do {
          _ = try runner.run { _ in }
          Issue.record("Two notes have one title.")
        } catch let error as StoreError {
          #expect(error.message.hasPrefix("Line \(broken + 1): "))
        }
        #expect(try store.position == 1)
      }
    }
  }

  /// Runs lines, and returns what is acknowledged of each commit.
  private func run(_ lines: [String], in store: Store) throws -> [(position: Position, ids: [ObjectID?])] {
    var runner = OperationRunner(store: store, source: Lines(lines: lines))
    var acknowledged: [(position: Position, ids: [ObjectID?])] = []
    _ = try runner.run { acknowledged.append(($0.position, $0.ids.map(\.id))) }
    return acknowledged
  }

  private func upsert(_ title: String, as name: String) -> String {
    #"{"upsert": "Note", "key": ["title"], "as": "\#(name)", "values": {"title": "\#(title)"}}"#
  }

  @Test func anUpsertFindsTheObjectOfAnEarlierLine() throws {
    try withTemporaryStore(model) { store in
      let made = try run(
        [insert("a"), upsert("a", as: "$a"), upsert("b", as: "$b"), #"{"rename": "$b", "to": "c"}"#], in: store)
      #expect(made.map(\.position) == [2, 2, 3, 4])
      #expect(Set(try store.fetch(Request(entity: "Note")).rows.compactMap { $0["title"] }) == ["a", "c"])
    }
  }

  @Test func anUpsertThatIsSentAgainHasItsObjectInTheStateAfterTheCommit() throws {
    try withTemporaryStore(model) { store in
      func commit(_ operations: [String], _ number: UInt64) -> String {
        let id = ObjectID(high: 1, low: number)
        return #"{"commit": [\#(operations.joined(separator: ", "))], "commitID": "\#(id)"}"#
      }
      let named = #"{"insert": "Note", "as": "$n", "values": {"title": "n"}}"#
      let whole = commit([upsert("a", as: "$a"), named, upsert("a", as: "$again")], 1)
      let first = try run([whole], in: store)
      // Both upserts name one object, and the insert between them another one.
      #expect(first[0].ids[0] == first[0].ids[2] && first[0].ids[1] != first[0].ids[0])
      let gone = commit([upsert("b", as: "$b"), #"{"delete": "$b"}"#, upsert("a", as: "$a")], 2)
      let second = try run([gone], in: store)
      _ = try run([upsert("a", as: "$x"), #"{"rename": "$x", "to": "z"}"#], in: store)
      #expect(try run([whole], in: store)[0].ids == first[0].ids)
      #expect(try run([gone], in: store)[0].ids == [nil, second[0].ids[1]])
      // Within one run the journal has the commit too.
      let third = commit([upsert("q", as: "$q")], 3)
      let both = try run([third, third], in: store)
      #expect(both[0].ids == both[1].ids && both[0].position == both[1].position)
    }
  }
}
