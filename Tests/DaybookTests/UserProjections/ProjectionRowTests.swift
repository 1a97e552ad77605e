import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The operations of a projection on its rows.
@Suite(.hangLimit) struct ProjectionRowTests {
  /// Runs code as a projection that applies one event, and passes the rows to a test.
  private func withRows(
    _ body: @escaping ClosureProjection.Body, reading: (borrowing ProjectionReader) throws -> Void = { _ in }
  ) throws {
    for mode in [ProjectionMode.catchUp, .inline] {
      try withTemporaryStore(FeedModel.model, options: .knowing(ClosureProjection(mode: mode, body))) { store in
        try store.insertRecipes("a")
        try store.projection("mine").catchUp()
        try store.projection("mine").read(reading)
      }
    }
  }

  private static func keys(_ reader: borrowing ProjectionReader, _ prefix: [UInt8] = []) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    try reader.scan(prefix, in: "t") { key, _ in
      keys.append(key)
      return true
    }
    return keys
  }

  @Test func rowsAreReadBackAtOnce() throws {
    try withRows { event, context in
      let found1 = try context.get([1], in: "t")
      #expect(found1 == nil)
      try context.put([1], [2, 3], in: "t")
      let found2 = try context.get([1], in: "t")
      #expect(found2 == [2, 3])
      let found3 = try context.get([1], in: "u")
      #expect(found3 == nil)
      try context.delete([1], in: "t")
      try context.delete([9], in: "t")
      let found4 = try context.get([1], in: "t")
      #expect(found4 == nil)
      try context.put([4], [], in: "t")
      let found5 = try context.increment([], by: 5, in: "n")
      #expect(found5 == 5)
      let found6 = try context.increment([], by: -7, in: "n")
      #expect(found6 == -2)
    } reading: { reader in
      let found7 = try Self.keys(reader)
      #expect(found7 == [[4]])
      let found8 = try reader.get([4], in: "t")
      #expect(found8 == [])
      let found9 = try reader.integer([], in: "n")
      #expect(found9 == -2)
      let found10 = try reader.integer([1], in: "n")
      #expect(found10 == 0)
      #expect(reader.position == 2)
      #expect(reader.version == 1)
    }
  }

  @Test func scansSeeWhatIsChangedMeanwhile() throws {
    try withRows { event, context in
      for number in UInt8(0)..<200 { try context.put([7, number], [number], in: "t") }
      try context.put([8], [], in: "t")
      var count = 0
      try context.scan([7], in: "t") { key, value in
        #expect(key == [7, value[0]])
        // The next row is deleted, and rows of another page are added.
        try context.delete([7, value[0]], in: "t")
        if value[0] == 10 { try context.put([7, 199, 1], [199], in: "u") }
        count += 1
        return true
      }
      #expect(count == 200)
      for number in UInt8(0)..<10 { try context.put([number], [], in: "t") }
      var seen: [[UInt8]] = []
      try context.scan(from: [3], in: "t") { key, _ in
        seen.append(key)
        return seen.count < 3
      }
      #expect(seen == [[3], [4], [5]])
    } reading: { reader in
      let found11 = try Self.keys(reader).count
      #expect(found11 == 10)
      let found12 = try Self.keys(reader, [5])
      #expect(found12 == [[5]])
      let none = try Self.keys(reader, [100])
      #expect(none.isEmpty)
    }
  }

  @Test func keysOfValuesSortAsTheValuesDo() {
    let values: [[Value]] = [
      [.null], [.string("")], [.string("a")], [.string("a"), .integer(-1)], [.string("a"), .integer(2)],
      [.string("a\u{0}")], [.string("ab")],
    ]
    let keys = values.map { ProjectionKey.bytes(of: $0) }
    for (a, b) in zip(keys, keys.dropFirst()) { #expect(a.lexicographicallyPrecedes(b)) }
    #expect(keys[3].starts(with: keys[2]))
  }

  @Test func whatCannotBeARowIsRefused() throws {
    try withRows { event, context in
      let calls: [(borrowing ProjectionContext) throws -> Void] = [
        { try $0.put([], [], in: "") }, { try $0.put([], [], in: "a b") }, { _ = try $0.get([], in: "é") },
        { try $0.put(Array(repeating: 1, count: 401), [], in: "t") },
        { try $0.put([1], Array(repeating: 1, count: (16 << 20) + 1), in: "t") },
        { try $0.scan(in: String(repeating: "a", count: 33)) { _, _ in true } },
      ]
      for call in calls {
        do {
          try call(context)
          Issue.record("It was taken.")
        } catch let error as StoreError {
          #expect(error.code == .badValue)
        }
      }
      try context.put([3], [1], in: "t")
      do {
        try context.increment([3], by: 1, in: "t")
        Issue.record("Something else was counted.")
      } catch is StoreError {}
      try context.increment([4], by: .max, in: "t")
      do {
        try context.increment([4], by: 1, in: "t")
        Issue.record("The count went on.")
      } catch is StoreError {}
      try context.put(Array(repeating: 255, count: 400), [1], in: String(repeating: "z", count: 32))
    } reading: { reader in
      let found13 = try reader.get(Array(repeating: 255, count: 400), in: String(repeating: "z", count: 32))
      #expect(found13 == [1])
    }
  }

  @Test func eventsCanBeAskedForWithTheirNames() throws {
    try withRows { event, context in
      let named = try context.event(event)
      #expect(named.entity == "Recipe")
      #expect(named.kind == .inserted)
      let name = try context.entityName(of: event)
      #expect(name == "Recipe")
      #expect(context.commit.position == 2)
      #expect(context.commit.eventCount == 1)
    }
  }
}
