import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Ordered relationships under the moves that make their keys grow.
@Suite(.hangLimit) struct OrderTests {
  private let model = Model(entities: [
    Entity(
      name: "List", attributes: [Attribute(name: "name", type: .string, isOptional: true)],
      relationships: [
        Relationship(name: "items", target: "Item", inverse: "list", isMany: true, isOrdered: true),
        Relationship(name: "picks", target: "Item", inverse: "pickedBy", isMany: true, isOrdered: true),
      ]),
    Entity(
      name: "Item", attributes: [Attribute(name: "name", type: .string, isOptional: true)],
      relationships: [
        Relationship(name: "list", target: "List", inverse: "items", isOptional: true),
        Relationship(name: "pickedBy", target: "List", inverse: "picks", isMany: true),
      ]),
  ])

  @Test func aKeyFitsBetweenAnyTwo() throws {
    try Seeds.run(20) { seed in
      var random = SeededRandom(seed: seed)
      var keys: [[UInt8]] = []
      for _ in 0..<400 {
        let index = random.isTrue(percent: 50) ? min(1, keys.count) : random.number(0...keys.count)
        let (lower, upper) = (index > 0 ? keys[index - 1] : nil, index < keys.count ? keys[index] : nil)
        let key = try OrderKey.between(lower, upper)
        guard lower.map({ $0.lexicographicallyPrecedes(key) }) ?? true,
          upper.map({ key.lexicographicallyPrecedes($0) }) ?? true,
          OrderKey.isKey(key.rawSpan) || key.count > OrderKey.maximumSize
        else { throw Mismatch("\(key) does not fit between \(lower ?? []) and \(upper ?? [])") }
        keys.insert(key, at: index)
      }
    }
  }

  @Test func keysStayShortAtTheEnds() throws {
    var (first, last) = (try OrderKey.between(nil, nil), try OrderKey.between(nil, nil))
    for _ in 0..<5_000 {
      first = try OrderKey.between(nil, first)
      last = try OrderKey.between(last, nil)
    }
    #expect(first.count == 4 && last.count == 4)
  }

  @Test(arguments: OrderKeys.hostile) func nothingIsLookedForBesideWhatIsNoKey(key: [UInt8]) throws {
    let sound = try OrderKey.between(nil, nil)
    for (lower, upper) in [(key, nil), (nil, key), (key, sound), (sound, key)] as [([UInt8]?, [UInt8]?)] {
      let error = #expect(throws: StoreError.self) { try OrderKey.between(lower, upper) }
      #expect(error?.code == .damaged)
    }
  }

  @Test func nothingFitsBetweenKeysThatDoNotRise() throws {
    let first = try OrderKey.between(nil, nil)
    let second = try OrderKey.between(first, nil)
    for (lower, upper) in [(first, first), (second, first), (first + [9], first)] {
      let error = #expect(throws: StoreError.self) { try OrderKey.between(lower, upper) }
      #expect(error?.code == .damaged)
    }
  }

  /// A long list under random placements, several in a commit, against a plain array.
  @Test(arguments: ["items", "picks"]) func aLongListIsAsAPlainArraySaysIt(_ relationship: String) throws {
    try Seeds.run(4) { seed in
      var random = SeededRandom(seed: seed)
      try withTemporaryStore(model) { store in
        var expected: [ObjectID] = []
        var spare: [ObjectID] = []
        let list = try store.write { tx in
          for _ in 0..<400 { spare.append(try tx.insert("Item")) }
          return try tx.insert("List")
        }
        while expected.count < 300 {
          try store.write { tx in
            for _ in 0..<random.number(1...30) {
              try place(in: &expected, &spare, list, relationship, tx, &random)
              guard random.isTrue(percent: 10) else { continue }
              try #require(try tx.targets(of: list, relationship) == expected)
            }
          }
          try #require(try store.read { try $0.targets(of: list, relationship) } == expected)
          // Nothing is beside what is not in the list, nor beside itself.
          for (moved, other) in [
            (spare[0], spare[1]), (expected.first, spare[1]), (expected.last, expected.last),
          ] as [(ObjectID?, ObjectID?)] {
            guard let moved, let other else { continue }
            let place = random.isTrue(percent: 50) ? Place.after(other) : .before(other)
            let error = #expect(throws: StoreError.self) {
              try store.write { try $0.relate(list, relationship, to: moved, at: place) }
            }
            #expect(error?.code == .notFound)
          }
        }
        try #require(try store.projectionRows().firstDifference(from: store.rebuiltRows()) == nil)
      }
    }
  }

  /// Adds, moves or removes a random target.
  private func place(
    in expected: inout [ObjectID], _ spare: inout [ObjectID], _ list: ObjectID, _ relationship: String,
    _ tx: borrowing Transaction, _ random: inout SeededRandom
  ) throws {
    if !expected.isEmpty, random.isTrue(percent: 10) {
      let removed = expected.remove(at: random.number(0...(expected.count - 1)))
      spare.append(removed)
      return try tx.unrelate(list, relationship, from: removed)
    }
    let isMove = !expected.isEmpty && random.isTrue(percent: 40)
    let moved =
      isMove
      ? expected.remove(at: random.number(0...(expected.count - 1)))
      : spare.remove(at: random.number(0...(spare.count - 1)))
    let index = random.number(0...expected.count)
    if index < expected.count, random.isTrue(percent: 50) {
      try tx.relate(list, relationship, to: moved, at: .before(expected[index]))
    } else if index > 0 {
      try tx.relate(list, relationship, to: moved, at: .after(expected[index - 1]))
    } else if expected.isEmpty {
      try tx.relate(list, relationship, to: moved)
    } else {
      try tx.relate(list, relationship, to: moved, at: .before(expected[0]))
    }
    expected.insert(moved, at: index)
  }

  /// Places in a long list are found beside their neighbours, each in the same write as the ones before it.
  @Test(arguments: ["items", "picks"]) func manyMovesInALongListLeaveEachTargetBeforeItsNeighbour(
    _ relationship: String
  ) throws {
    try withTemporaryStore(model) { store in
      let (list, items) = try store.write { tx in
        let list = try tx.insert("List")
        let items = try (0..<4_000).map { _ in try tx.insert("Item") }
        for item in items { try tx.relate(list, relationship, to: item) }
        return (list, items)
      }
      try store.write { tx in
        for number in stride(from: 0, to: items.count, by: 2) {
          try tx.relate(list, relationship, to: items[number + 1], at: .before(items[number]))
        }
      }
      let expected = stride(from: 0, to: items.count, by: 2).flatMap { [items[$0 + 1], items[$0]] }
      #expect(try store.targets(of: list, relationship) == expected)
    }
  }

  @Test(arguments: ["items", "picks"])
  func aListThatIsNumberedAnewKeepsItsOrder(_ relationship: String) throws {
    try withTemporaryStore(model) { store in
      let list = try store.write { try $0.insert("List") }
      let items = try store.write { tx in
        let items = try (0..<4).map { _ in try tx.insert("Item") }
        for item in items { try tx.relate(list, relationship, to: item) }
        return items
      }
      var expected = items
      var longest = 0
      // Each move goes into the gap behind the first one, which halves again and again. The last moves are of a target
      // that the numbering moves too.
      for round in 0..<120 {
        let before = try store.projectionRows()
        try store.write { tx in
          for step in 0..<10 {
            let moved = items[1 + (round + step) % 3]
            try tx.relate(list, relationship, to: moved, at: .after(items[0]))
            expected.removeAll { $0 == moved }
            expected.insert(moved, at: 1)
          }
          try #require(try tx.targets(of: list, relationship) == expected)
        }
        longest = max(longest, try store.read { try keySizes($0, list, relationship).max() ?? 0 })
        try #require(try store.read { try $0.targets(of: list, relationship) } == expected)
        let position = Position(try store.position.number - 1)
        try #require(try store.projectionRows(at: position).firstDifference(from: before) == nil)
      }
      #expect(longest > 50, "The keys never grew, so nothing was numbered anew.")
      #expect(longest <= OrderKey.maximumSize)
    }
  }

  private func keySizes(
    _ reader: borrowing StoreReader, _ id: ObjectID, _ name: String
  ) throws -> [Int] {
    let reference = try reader.resolvedModel.requireRelationship(name, of: 0)
    return try reader.reader.orderedLinks(reader.resolvedModel[reference].tag, from: id).map { $0.key.count }
  }

  @Test func movingToWhereItIsChangesNothing() throws {
    try withTemporaryStore(model) { store in
      let (list, items) = try store.write { tx in
        let list = try tx.insert("List")
        let items = try (0..<3).map { _ in try tx.insert("Item") }
        for item in items { try tx.relate(list, "items", to: item) }
        return (list, items)
      }
      let head = try store.position
      try store.write { tx in
        try tx.relate(list, "items", to: items[1], at: .after(items[0]))
        try tx.relate(list, "items", to: items[1], at: .before(items[2]))
        try tx.relate(list, "items", to: items[2], at: .last)
      }
      #expect(try store.position == head)
    }
  }

  @Test func theFirstOfOneListBecomesTheFirstOfAnother() throws {
    // Both have the same order key, in different lists.
    try withTemporaryStore(model) { store in
      let (a, b, item) = try store.write { tx in
        let (a, b, item) = (try tx.insert("List"), try tx.insert("List"), try tx.insert("Item"))
        try tx.relate(a, "items", to: item)
        return (a, b, item)
      }
      try store.write { try $0.relate(b, "items", to: item) }
      #expect(try store.read { try $0.targets(of: b, "items") } == [item])
      #expect(try store.read { try $0.targets(of: a, "items") } == [])
    }
  }
}
