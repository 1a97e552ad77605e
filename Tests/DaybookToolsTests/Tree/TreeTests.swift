import Daybook
import DaybookTestSupport
import DaybookTools
import Testing

/// The tree of a store: from the objects without parents down, in order, at any depth.
@Suite(.hangLimit) struct TreeTests {
  /// Boxes in boxes, with things in them.
  ///
  /// A shelf has no parent and no name; notes are not part of the tree.
  private static let model = Model(entities: [
    Entity(
      name: "Shelf",
      relationships: [
        Relationship(name: "boxes", target: "Box", inverse: "shelf", isMany: true, deleteRule: .cascade),
        Relationship(name: "favourites", target: "Box", inverse: "fans", isMany: true),
      ]),
    Entity(
      name: "Box", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string, isOptional: true)],
      relationships: [
        Relationship(name: "shelf", target: "Shelf", inverse: "boxes", isOptional: true),
        Relationship(name: "fans", target: "Shelf", inverse: "favourites", isMany: true),
        Relationship(name: "outer", target: "Box", inverse: "inner", isOptional: true),
        Relationship(name: "inner", target: "Box", inverse: "outer", isMany: true, deleteRule: .cascade),
        Relationship(name: "things", target: "Thing", inverse: "boxes", isMany: true, deleteRule: .cascade),
        Relationship(name: "beside", target: "Box", inverse: "beside", isMany: true, deleteRule: .cascade),
      ]),
    Entity(
      name: "Thing", nameAttribute: "name",
      attributes: [Attribute(name: "name", type: .string), Attribute(name: "size", type: .integer, isOptional: true)],
      relationships: [Relationship(name: "boxes", target: "Box", inverse: "things", isMany: true)]),
    Entity(name: "Note", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)]),
  ])

  private let directory: TemporaryDirectory
  private let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try Store(at: directory.path("store"), model: Self.model)
  }

  private func makeBox(
    _ name: Value, in outer: ObjectID? = nil, on shelf: ObjectID? = nil, _ tx: borrowing Transaction
  ) throws -> ObjectID {
    let box = try tx.insert("Box", ["name": name])
    if let outer { try tx.relate(box, "outer", to: outer) }
    if let shelf { try tx.relate(box, "shelf", to: shelf) }
    return box
  }

  @discardableResult
  private func makeThing(_ name: String, size: Value = .null, in box: ObjectID, _ tx: borrowing Transaction) throws
    -> ObjectID
  {
    let thing = try tx.insert("Thing", ["name": .string(name), "size": size])
    try tx.relate(box, "things", to: thing)
    return thing
  }

  private func paths(
    from root: ObjectID? = nil, showing: [String] = [], decode: (String) -> [UInt8] = { Array($0.utf8) }
  ) throws -> [String] {
    try store.read { reader in
      let paths = try reader.treePaths(from: root, showing: showing, decodingNames: decode)
      var bytes: [UInt8] = []
      for index in 0..<paths.count { paths.appendLine(index, showingValues: !showing.isEmpty, to: &bytes) }
      return bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast().map { line in
        String(decoding: line, as: UTF8.self)
      }
    }
  }

  /// Returns the tree as lines, with two spaces for each level.
  private func drawing(from root: ObjectID? = nil) throws -> [String] {
    try store.read { reader in
      var lines: [String] = []
      try reader.forEachTreeNode(from: root) { node in
        lines.append(
          String(repeating: "  ", count: node.depth) + node.name + (node.isRepeated ? "*" : "")
            + (node.isInCycle ? "@" : ""))
      }
      return lines
    }
  }

  @Test func leavesAreSortedByTheBytesOfTheirPaths() throws {
    try store.write { tx in
      let a = try makeBox("a", tx)
      let ab = try makeBox("a-b", tx)
      for name in ["z", "\u{E9}", "A", "e\u{301}", "\u{1F600}", "\u{FFFD}"] { try makeThing(name, in: a, tx) }
      try makeThing("x", in: ab, tx)
      try makeThing("x", in: try makeBox("inner", in: a, tx), tx)
      try tx.insert("Note", ["name": "not here"])
    }
    let expected = [
      "a-b/x", "a/A", "a/e\u{301}", "a/inner/x", "a/z", "a/\u{E9}", "a/\u{FFFD}", "a/\u{1F600}",
    ]
    #expect(try paths().map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test func emptyNamesAreNotJoinedAndBranchesAreNoLeaves() throws {
    try store.write { tx in
      let shelf = try tx.insert("Shelf")
      let nameless = try makeBox(.null, on: shelf, tx)
      let named = try makeBox("b", in: nameless, tx)
      _ = try makeBox("empty", in: named, tx)
      try makeThing("t", in: named, tx)
      try makeThing("", in: named, tx)
      try makeThing("u", in: nameless, tx)
    }
    #expect(try paths() == ["b", "b/t", "u"])
  }

  @Test func valuesComeBeforeThePathAndDoNotChangeTheOrder() throws {
    let (box, small) = try store.write { tx in
      let box = try makeBox("b", tx)
      let small = try makeThing("small", size: 1, in: box, tx)
      try makeThing("large", size: 20, in: box, tx)
      try makeThing("any", in: box, tx)
      return (box, small)
    }
    #expect(try paths(showing: ["size"]) == ["\tb/any", "20\tb/large", "1\tb/small"])
    #expect(try paths(from: box, showing: ["size", "name"])[1] == "20 large\tb/large")
    #expect(try paths(from: small, showing: ["id"]) == ["\(small)\tsmall"])
    let error = #expect(throws: StoreError.self) { try paths(showing: ["colour"]) }
    #expect(error?.code == .badRequest)
  }

  @Test func namesAreDecodedBeforeTheyAreSorted() throws {
    try store.write { tx in
      let box = try makeBox("", tx)
      for name in ["a", "b", "c"] { try makeThing(name, in: box, tx) }
    }
    let turned = try paths(decode: { $0.utf8.map { 200 - $0 } })
    #expect(turned.count == 3)
    #expect(try paths(decode: { $0 == "a" ? [0x7A] : Array($0.utf8) }) == ["b", "c", "z"])
  }

  @Test func oneObjectsTreeBeginsWithIt() throws {
    let inner = try store.write { tx in
      let outer = try makeBox("outer", tx)
      let inner = try makeBox("inner", in: outer, tx)
      try makeThing("t", in: inner, tx)
      try makeThing("u", in: outer, tx)
      return inner
    }
    #expect(try paths(from: inner) == ["inner/t"])
    #expect(try drawing(from: inner) == ["inner", "  t"])
    let error = #expect(throws: StoreError.self) { try paths(from: store.id) }
    #expect(error?.code == .notFound)
  }

  @Test func aChildOfSeveralParentsIsBelowEach() throws {
    try store.write { tx in
      let (a, b) = (try makeBox("a", tx), try makeBox("b", tx))
      let shared = try makeThing("shared", in: a, tx)
      try tx.relate(b, "things", to: shared)
      let shelf = try tx.insert("Shelf")
      let both = try makeBox("both", in: a, on: shelf, tx)
      try makeThing("deep", in: both, tx)
    }
    #expect(try paths() == ["a/both/deep", "a/shared", "b/shared", "both/deep"])
    #expect(try drawing() == ["", "  both", "    deep", "a", "  both*", "  shared", "b", "  shared"])
  }

  @Test func boxesBesideEachOtherAreNotBelowEachOther() throws {
    try store.write { tx in
      let a = try makeBox("a", tx)
      let b = try makeBox("b", tx)
      let inner = try makeBox("inner", in: a, tx)
      for other in [a, b, inner] { try tx.relate(b, "beside", to: other) }
    }
    #expect(try drawing() == ["a", "  inner", "b"])
  }

  @Test func circlesAreShownOnceAndEndWhereTheyBegan() throws {
    let (a, b, c) = try store.write { tx in
      let a = try makeBox("a", tx)
      let b = try makeBox("b", in: a, tx)
      try tx.relate(a, "outer", to: b)
      try makeThing("t", in: b, tx)
      let c = try makeBox("c", tx)
      try tx.relate(c, "outer", to: c)
      _ = try makeBox("d", in: c, tx)
      _ = try makeBox("top", tx)
      return (a, b, c)
    }
    #expect(try drawing() == ["top", "a@", "  b@", "    t", "c@", "  d"])
    // Paths are walked by id, so the cycle begins at either object.
    #expect(try paths() == [a < b ? "a/b/t" : "b/t"])
    #expect(try paths(from: a) == ["a/b/t"])
    #expect(try drawing(from: a) == ["a@", "  b@", "    t"])
    #expect(try drawing(from: c) == ["c@", "  d"])
  }

  @Test func aCycleBelowATopIsEnteredOnce() throws {
    try store.write { tx in
      let shelf = try tx.insert("Shelf")
      let a = try makeBox("a", on: shelf, tx)
      let b = try makeBox("b", in: a, tx)
      try tx.relate(a, "outer", to: b)
      try makeThing("t", in: b, tx)
    }
    #expect(try paths() == ["a/b/t"])
    #expect(try drawing() == ["", "  a@", "    b@", "      t"])
  }

  @Test func aLongCycleIsWalkedRoundOnce() throws {
    let length = 20_000
    try store.write { tx in
      let first = try makeBox("a", tx)
      var last = first
      for _ in 1..<length { last = try makeBox("b", in: last, tx) }
      try tx.relate(first, "outer", to: last)
    }
    var count = 0
    try store.read { reader in try reader.forEachTreeNode { _ in count += 1 } }
    #expect(count == length)
  }

  /// Objects with several random parents: with any cycles, each object is walked once.
  @Test func everyObjectIsWalkedOnceHoweverTheirParentsAreDrawn() throws {
    let model = Model(entities: [
      Entity(
        name: "Node", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "children", target: "Node", inverse: "parents", isMany: true, deleteRule: .cascade),
          Relationship(name: "parents", target: "Node", inverse: "children", isMany: true),
        ])
    ])
    try Seeds.run(30) { seed in
      var random = SeededRandom(seed: seed)
      try withTemporaryStore(model) { store in
        let count = random.number(1...12)
        var children = [[Int]](repeating: [], count: count)
        try store.write { tx in
          let ids = try (0..<count).map { try tx.insert("Node", ["name": .string("\(100 + $0)")]) }
          for _ in 0..<random.number(0...(2 * count)) {
            let (parent, child) = (random.number(0...(count - 1)), random.number(0...(count - 1)))
            children[parent].append(child)
            try tx.relate(ids[parent], "children", to: ids[child])
          }
        }
        var walked: [Int] = []
        var tops: [Int] = []
        var cycles: Set<Int> = []
        try store.read { reader in
          try reader.forEachTreeNode { node in
            guard let name = Int(node.name) else { return }
            if !node.isRepeated { walked.append(name - 100) }
            if node.depth == 0 { tops.append(name - 100) }
            if node.isInCycle { cycles.insert(name - 100) }
          }
        }
        try #require(walked.sorted() == Array(0..<count))
        try #require(tops == expectedTops(children))
        try #require(cycles == Set(children.indices.filter { below(children)[$0].contains($0) }))
      }
    }
  }

  /// Returns the objects below each object.
  private func below(_ children: [[Int]]) -> [Set<Int>] {
    children.indices.map { start in
      var reached = Set<Int>()
      var pending = [start]
      while let next = pending.popLast() { pending += children[next].filter { reached.insert($0).inserted } }
      return reached
    }
  }

  /// Returns the objects without parents, and the first one of each unreachable cycle.
  private func expectedTops(_ children: [[Int]]) -> [Int] {
    let below = below(children)
    let roots = children.indices.filter { root in !children.contains { $0.contains(root) } }
    let cycles = children.indices.filter { node in
      let above = children.indices.filter { below[$0].contains(node) }
      return !roots.contains(node) && above.allSatisfy { below[node].contains($0) && $0 >= node }
    }
    return roots + cycles
  }

  @Test func aTreeMayBeAsDeepAsItLikes() throws {
    let depth = 100_000
    try store.write { tx in
      var last = try makeBox("b", tx)
      for _ in 1..<depth { last = try makeBox("b", in: last, tx) }
      try makeThing("t", in: last, tx)
    }
    let found = try paths()
    #expect(found.count == 1)
    #expect(found.first?.utf8.count == depth * 2 + 1)
    var deepest = 0
    try store.read { reader in
      try reader.forEachTreeNode { deepest = max(deepest, $0.depth) }
    }
    #expect(deepest == depth)
  }

  @Test func anOrderThatPeopleChoseIsKept() throws {
    let model = Model(entities: [
      Entity(
        name: "List", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(
            name: "items", target: "Item", inverse: "list", isMany: true, isOrdered: true, deleteRule: .cascade),
          Relationship(name: "others", target: "Item", inverse: "other", isMany: true, deleteRule: .cascade),
        ]),
      Entity(
        name: "Item", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "list", target: "List", inverse: "items", isOptional: true),
          Relationship(name: "other", target: "List", inverse: "others", isOptional: true),
        ]),
    ])
    let store = try Store(at: directory.path("lists"), model: model)
    try store.write { tx in
      let list = try tx.insert("List", ["name": "l"])
      for name in ["z", "a", "m"] {
        let item = try tx.insert("Item", ["name": .string(name)])
        try tx.relate(list, "items", to: item)
        if name == "a" { try tx.relate(list, "others", to: item) }
      }
      for name in ["y", "b"] {
        try tx.relate(list, "others", to: try tx.insert("Item", ["name": .string(name)]))
      }
    }
    let names = try store.read { reader in
      var names: [String] = []
      try reader.forEachTreeNode { names.append($0.name) }
      return names
    }
    #expect(names == ["l", "z", "a", "m", "b", "y"])
    let paths = try store.read { try $0.treePaths() }
    #expect(
      (0..<paths.count).map { String(decoding: paths[$0].path, as: UTF8.self) } == ["l/a", "l/b", "l/m", "l/y", "l/z"])
  }

  @Test func aWriteSeesItsOwnTree() throws {
    let count = try store.write { tx in
      let box = try makeBox("b", tx)
      try makeThing("t", in: box, tx)
      let before = try tx.treePaths().count
      try tx.delete(box)
      return (before, try tx.treePaths().count)
    }
    #expect(count == (1, 0))
  }
}
