import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct CommitTraceTests {
  @Test func aTraceHasTheCausesAndAllConsequences() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = ObjectID(high: 7, low: 7)
      func write(_ name: String, causedBy cause: CommitReference? = nil, commitID: ObjectID? = nil) throws {
        var info = CommitInfo(author: name, causedBy: cause)
        info.commitID = commitID
        try store.commit(info) { _ = try $0.insert("Tag", ["name": .string(name)]) }
      }
      try write("order", commitID: id)
      try write("other")
      try write("invoice", causedBy: .commitID(id))
      try write("delivery", causedBy: 2)
      try write("payment", causedBy: 4)
      try write("receipt", causedBy: 6)

      let invoice = try store.trace(of: 4)
      #expect(invoice.entries.map(\.position) == [2, 4, 6, 7] && invoice.entries.map(\.depth) == [0, 1, 2, 3])
      #expect(invoice.entries.map(\.author) == ["order", "invoice", "payment", "receipt"] && !invoice.isCutShort)
      let order = try store.trace(of: 2)
      #expect(order.entries.map(\.position) == [2, 4, 6, 7, 5] && order.entries.map(\.depth) == [0, 1, 2, 3, 1])
      #expect(try store.trace(of: 3).entries.map(\.position) == [3])
      #expect(try store.trace(of: 7).entries.map(\.position) == [2, 4, 6, 7])
      let short = try store.trace(of: 2, limit: 2)
      #expect(short.entries.map(\.position) == [2, 4, 5] && short.isCutShort)
      for position: Position in [0, 8] { #expect(throws: StoreError.self) { try store.trace(of: position) } }
    }
  }

  @Test func randomCausesAreTracedAsAPlainModelTracesThem() throws {
    try SeededRandom.run { random in
      try withTemporaryStore(FeedModel.model) { store in
        var causes: [UInt64: UInt64] = [:]
        for position in UInt64(2)...220 {
          let cause = random.isOneIn(3) || position == 2 ? nil : UInt64(random.number(2...Int(position - 1)))
          causes[position] = cause
          let info = CommitInfo(causedBy: cause.map { .position(Position($0)) })
          try store.commit(info) { _ = try $0.insert("Tag", ["name": .string("\(position)")]) }
        }
        func below(_ position: UInt64, _ depth: Int) -> [(UInt64, Int)] {
          causes.filter { $0.value == position }.map(\.key).sorted().flatMap { [($0, depth)] + below($0, depth + 1) }
        }
        for position in UInt64(2)...220 {
          var chain = [position]
          while let cause = causes[chain[0]] { chain.insert(cause, at: 0) }
          let expected = chain.enumerated().map { ($1, $0) } + below(position, chain.count)
          let entries = try store.trace(of: Position(position)).entries
          #expect(entries.map(\.position.number) == expected.map(\.0), "seed \(random.seed), \(position)")
          #expect(entries.map(\.depth) == expected.map(\.1), "seed \(random.seed), \(position)")
        }
      }
    }
  }
}
