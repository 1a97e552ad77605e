import Daybook
import DaybookTestSupport
import Testing

/// Fetches of one shape with many constants, while the model and the objects change.
@Suite(.hangLimit) struct RepeatedFetchTests {
  /// Indexes that the model gains and loses.
  private static let indexes = [
    Index([SortTerm(path: ["rank"])]), Index([SortTerm(path: ["rank"], .descending), SortTerm(path: ["name"])]),
    Index([SortTerm(path: ["name"])]), Index([SortTerm(path: ["name"]), SortTerm(path: ["rank"])]),
  ]

  private struct Item {
    let id: ObjectID
    var name: String
    var rank: Int
  }

  private static func model(_ indexes: [Index]) -> Model {
    Model(entities: [
      Entity(
        name: "Item", attributes: [Attribute(name: "name", type: .string), Attribute(name: "rank", type: .integer)],
        indexes: indexes)
    ])
  }

  @Test func `a fetch has the right rows after each change of the model`() throws {
    try SeededRandom.run(Rounds.of(6)) { generator in
      let seed = generator.seed
      let directory = try TemporaryDirectory()
      let store = try Store(at: directory.path("s"), model: Self.model([]))
      var items: [Item] = []
      for _ in 0..<120 {
        switch generator.number(0..<12) {
        case 0:
          try store.apply(Self.model(Self.indexes.filter { _ in generator.isOneIn(2) }))
        case 1, 2:
          try store.write { tx in
            for _ in 0..<8 {
              let (name, rank) = (String(generator.number(0..<9)), generator.number(0..<20))
              let id = try tx.insert("Item", ["name": .string(name), "rank": .integer(Int64(rank))])
              items.append(Item(id: id, name: name, rank: rank))
            }
          }
        default: try Self.check(store, items, &generator, seed)
        }
      }
      store.close()
    }
  }

  private static func check(_ store: Store, _ items: [Item], _ generator: inout SeededRandom, _ seed: UInt64) throws {
    let (name, rank, limit) = (String(generator.number(0..<9)), generator.number(0..<20), generator.number(0..<30))
    let isByName = generator.isOneIn(2)
    var request = Request(entity: "Item", limit: limit)
    request.offset = generator.number(0..<4)
    let matches: (Item) -> Bool
    switch generator.number(0..<4) {
    case 0:
      request.filter = try Filter(parsing: "rank >= \(rank)")
      matches = { $0.rank >= rank }
    case 1:
      request.filter = try Filter(parsing: "name == '\(name)'")
      matches = { $0.name == name }
    case 2:
      request.filter = try Filter(parsing: "name == '\(name)' AND rank < \(rank)")
      matches = { $0.name == name && $0.rank < rank }
    default: matches = { _ in true }
    }
    request.sort = [SortTerm(path: [isByName ? "name" : "rank"])]
    let expected = items.filter(matches).sorted {
      let isTie = isByName ? $0.name == $1.name : $0.rank == $1.rank
      return isTie ? $0.id < $1.id : isByName ? $0.name < $1.name : $0.rank < $1.rank
    }
    let window = expected.map(\.id).dropFirst(request.offset).prefix(limit)
    #expect(try store.fetch(request).rows.map(\.id) == Array(window), "\(request), seed \(seed)")
    #expect(try store.read { try $0.count(request) } == window.count, "\(request), seed \(seed)")
  }
}
