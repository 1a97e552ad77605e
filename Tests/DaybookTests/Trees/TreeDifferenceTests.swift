import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Differences of trees, against two trees that are compared by the rules.
@Suite(.hangLimit) struct TreeDifferenceTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func makeStore(_ name: String = "store", acyclic: Bool = true, ordered: Bool = false) throws -> Store {
    var options = StoreOptions()
    options.durability = .relaxed
    return try Store(
      at: directory.path(name), model: FolderModel.model(acyclic: acyclic, ordered: ordered), options: options)
  }

  /// Checks all differences between some positions, in both directions.
  private func checkAll(
    _ store: Store, _ positions: [(Position, Position)], root: ObjectID? = nil, depth: Int? = nil,
    ordered: Bool = false,
    _ comment: String
  ) throws {
    for (from, to) in positions {
      let change = try store.treeDifference(ofTree: "Folder.children", root: root, depth: depth, from: from, to: to)
      #expect(change.from == from && change.to == to && !change.isReset)
      let old = try PlainTree(store, at: from, root: root, depth: depth, ordered: ordered)
      let new = try PlainTree(store, at: to, root: root, depth: depth, ordered: ordered)
      try check(change, from: old, to: new, "\(comment), \(from) to \(to), depth \(depth.map(String.init) ?? "all")")
    }
  }

  /// A change of one of some folders.
  private enum Step: CustomStringConvertible {
    case move(Int, Int?)
    case rename(Int, String)
    case resize(Int)
    case delete(Int)
    case insert(Int, Int?)

    var description: String {
      switch self {
      case .move(let folder, let parent): "move \(folder) to \(parent.map(String.init) ?? "top")"
      case .rename(let folder, let name): "rename \(folder) \(name)"
      case .resize(let folder): "resize \(folder)"
      case .delete(let folder): "delete \(folder)"
      case .insert(let folder, let parent): "insert \(folder) at \(parent.map(String.init) ?? "top")"
      }
    }

    func perform(_ tx: borrowing Transaction) throws {
      switch self {
      case .move(let folder, let parent): try tx.move(FolderModel.id(folder), into: parent.map(FolderModel.id))
      case .rename(let folder, let name): try tx.rename(FolderModel.id(folder), to: name)
      case .resize(let folder): try tx.set(FolderModel.id(folder), ["size": 5])
      case .delete(let folder): try tx.delete(FolderModel.id(folder))
      case .insert(let folder, let parent):
        try tx.insert("Folder", ["name": .string("f\(folder)")], id: FolderModel.id(folder))
        try tx.move(FolderModel.id(folder), into: parent.map(FolderModel.id))
      }
    }

    static func all(_ count: Int) -> [Step] {
      var steps: [Step] = []
      for folder in 0..<count {
        steps += [.delete(folder), .resize(folder), .rename(folder, "a"), .rename(folder, "z"), .insert(count, folder)]
        steps += [.move(folder, nil)] + (0..<count).filter { $0 != folder }.map { .move(folder, $0) }
      }
      return steps + [.insert(count, nil)]
    }
  }

  /// Returns all ways to put folders into earlier ones, or at the top.
  private func shapes(_ count: Int) -> [[Int?]] {
    guard count > 0 else { return [[]] }
    let parents: [Int?] = [nil] + (0..<(count - 1)).map(Optional.some)
    return shapes(count - 1).flatMap { shape in parents.map { shape + [$0] } }
  }

  /// Every tree of up to four folders, with every change and every second change, as one commit.
  ///
  /// Of the larger trees a sample is checked, unless `DAYBOOK_TREES` is 1.
  @Test(arguments: 1...4) func everySmallTreeAndEveryTwoChanges(count: Int) throws {
    let store = try makeStore()
    let steps = Step.all(count)
    let singleShare = min(3, Rounds.given("DAYBOOK_TREES") ?? 3)
    let pairShare = Rounds.given("DAYBOOK_TREES") ?? (count == 3 ? 37 : 331)
    var number = 0
    for shape in shapes(count) {
      for first in steps {
        for second in [nil] + steps.map(Optional.some) {
          number += 1
          guard count < 3 || number % (second == nil ? singleShare : pairShare) == 0 else { continue }
          let before = try prepare(store, shape)
          do {
            try store.write { tx in
              try first.perform(tx)
              try second?.perform(tx)
            }
          } catch is StoreError {
            // A cycle, or a second change of a deleted folder.
            continue
          }
          let after = try store.position
          let comment = "\(shape): \(first), \(second.map { "\($0)" } ?? "alone")"
          for depth in [nil, 0, 1] as [Int?] {
            try checkAll(store, [(before, after), (after, before)], depth: depth, comment)
          }
          try checkAll(store, [(before, after)], root: FolderModel.id(0), depth: number % 2 == 0 ? 1 : nil, comment)
        }
      }
    }
    #expect(number > 0)
  }

  /// Makes the store hold exactly the folders of a shape, and returns the position.
  private func prepare(_ store: Store, _ shape: [Int?]) throws -> Position {
    try store.write { tx in
      try tx.delete(where: Request(entity: "Folder"))
      for (folder, parent) in shape.enumerated() {
        try tx.insert("Folder", ["name": .string("f\(folder)"), "size": 1], id: FolderModel.id(folder))
        if let parent { try tx.relate(FolderModel.id(folder), "parent", to: FolderModel.id(parent)) }
      }
    }
    return try store.position
  }

  @Test func aMovedSubtreeIsOneMove() throws {
    let store = try makeStore()
    let ids = (0..<7).map(FolderModel.id)
    let before = try prepare(store, [nil, 0, 1, 2, 1, nil, 5])
    try store.write { tx in
      try tx.move(ids[1], into: ids[6])
      try tx.set(ids[3], ["size": 9])
    }
    let change = try store.treeDifference(ofTree: "parent", from: before)
    #expect(
      change.difference.nodes == [
        .move(ids[1], from: [0, 0], to: [1, 0, 0]), .update(ids[3], from: [0, 0, 0, 0], to: [1, 0, 0, 0, 0]),
      ])
    #expect(change.objects[ids[3]]?["size"] == 9)
  }

  @Test func aDeepBranchIsInserted() throws {
    let store = try makeStore()
    let count = 2_000
    try store.write { tx in
      for number in 0..<count {
        try tx.insert("Folder", ["name": "x"], id: FolderModel.id(number))
        if number > 0 { try tx.relate(FolderModel.id(number), "parent", to: FolderModel.id(number - 1)) }
      }
    }
    let change = try store.treeDifference(ofTree: "Folder.children", from: 1)
    guard case .insert(FolderModel.id(0), let below, [0])? = change.difference.nodes.first else {
      Issue.record("\(change.difference)")
      return
    }
    #expect(below.count == count - 1 && below.nodes.last?.level == count - 2)
    let forest = try Forest().applying(change.difference)
    let present = try store.read { try $0.treeIDs(ofTree: "children") }
    #expect(forest.count == count && forest == present)
    #expect(
      try store.treeDifference(ofTree: "children", from: 2, to: 1).difference.nodes == [
        .delete(FolderModel.id(0), from: [0])
      ])
  }

  @Test func aCycleIsNoTree() throws {
    let store = try makeStore(acyclic: false)
    let before = try prepare(store, [nil, 0, 1, nil])
    try store.write { try $0.move(FolderModel.id(0), into: FolderModel.id(1)) }
    let change = try store.treeDifference(ofTree: "Folder.parent", from: before)
    #expect(change.difference.nodes == [.delete(FolderModel.id(0), from: [0])])
    // Below a root of the cycle each of its objects is there once.
    let root = FolderModel.id(0)
    let below = try store.treeDifference(ofTree: "Folder.parent", root: root, from: before)
    #expect(below.difference.nodes == [.update(root, from: [0], to: [0])])
    #expect(try store.read { try $0.treeIDs(ofTree: "children", root: root) }.count == 3)
  }

  @Test func modelChangesReset() throws {
    let store = try makeStore()
    let before = try prepare(store, [nil, 0])
    var model = FolderModel.model(acyclic: true)
    model.entities[0].indexes = [Index([SortTerm(path: ["size"])])]
    try store.apply(model)
    let same = try store.treeDifference(ofTree: "children", from: before)
    #expect(same.isEmpty && !same.isReset)
    model.entities[0].attributes[0].order = .natural
    try store.apply(model)
    #expect(try store.treeDifference(ofTree: "children", from: before).isReset)
    #expect(try store.treeDifference(ofTree: "children", from: 0).difference.nodes.count == 1)
  }

  @Test func badRequestsAreRefused() throws {
    let store = try makeStore()
    let bad = ["", "name", "Folder.", ".children", "Nothing.children", "folder.children", "Folder.children.children"]
    for name in bad {
      let error = #expect(throws: StoreError.self) { try store.treeDifference(ofTree: name, from: 0) }
      #expect(error?.code == .badRequest, "\(name)")
    }
    #expect(throws: StoreError.self) { try store.treeDifference(ofTree: "children", depth: -1, from: 0) }
    let beyond = #expect(throws: StoreError.self) { try store.treeDifference(ofTree: "children", from: 9) }
    #expect(beyond?.code == .notFound)
    #expect(try store.treeDifference(ofTree: "children", from: 0, to: 0).isEmpty)
    #expect(throws: StoreError.self) { try store.ancestors(of: FolderModel.id(1), over: "parent") }
  }

  /// Random commits, and differences between random positions, by name and by the order of the relationship.
  @Test(arguments: [false, true]) func randomHistoriesGiveTheRightDifferences(ordered: Bool) throws {
    try SeededRandom.run(3) { random in
      let store = try makeStore("random\(random.seed)\(ordered)", acyclic: random.isOneIn(2), ordered: ordered)
      let ids = (0..<14).map(FolderModel.id)
      for _ in 0..<40 {
        var copy = random
        do {
          try store.write { tx in
            for _ in 0..<copy.number(1...4) { try randomStep(&copy, ids, tx, ordered: ordered) }
          }
        } catch is StoreError {}
        random = copy
      }
      let head = Int(try store.position.number)
      for _ in 0..<12 {
        let span = (Position(UInt64(random.number(0...head))), Position(UInt64(random.number(0...head))))
        let root = random.isOneIn(3) ? random.pick(ids) : nil
        let depth = random.isOneIn(2) ? random.number(0...3) : nil
        try checkAll(store, [span], root: root, depth: depth, ordered: ordered, "seed \(random.seed)")
      }
    }
  }

  private func randomStep(
    _ random: inout SeededRandom, _ ids: [ObjectID], _ tx: borrowing Transaction, ordered: Bool
  ) throws {
    let id = random.pick(ids)
    guard try tx.get(id) != nil else {
      try tx.insert("Folder", ["name": .string(String(random.pick(Array("abcde"))))], id: id)
      return
    }
    switch random.number(0...9) {
    case 0: try tx.delete(id)
    case 1, 2: try tx.rename(id, to: String(random.pick(Array("abcde"))))
    case 3: try tx.set(id, ["size": .integer(Int64(random.number(0...3)))])
    case 4: try tx.move(id, into: nil)
    default:
      let parent = random.pick(ids)
      guard try tx.get(parent) != nil else { return }
      let beside = try tx.targets(of: parent, "children").filter { $0 != id }
      if ordered, let other = beside.first, random.isOneIn(2) {
        try tx.relate(parent, "children", to: id, at: random.isOneIn(2) ? .before(other) : .after(other))
      } else {
        try tx.move(id, into: parent)
      }
    }
  }
}

/// The objects above and below one.
extension TreeDifferenceTests {
  @Test func ancestorsAndSubtreesAreOneCall() throws {
    let store = try makeStore()
    let ids = (0..<5).map(FolderModel.id)
    let before = try prepare(store, [nil, 0, 1, 1, 0])
    #expect(try store.ancestors(of: ids[3], over: "parent").map(\.object.id) == [ids[1], ids[0]])
    #expect(try store.ancestors(of: ids[3], over: "children").map(\.distance) == [1, 2])
    #expect(try store.ancestors(of: ids[0], over: "parent") == [])
    let below = try store.subtree(of: ids[0], over: "children")
    #expect(below.map(\.object.id) == ids && below.map(\.distance) == [0, 1, 2, 2, 1])
    #expect(below.allSatisfy { !$0.isInCycle })
    #expect(
      try store.subtree(of: ids[0], over: "Folder.parent", depth: 1).map(\.object.id) == [ids[0], ids[1], ids[4]])
    let inside = try store.write { tx in
      try tx.move(ids[1], into: nil)
      return try tx.subtree(of: ids[0], over: "children").map(\.object.id)
        + tx.ancestors(of: ids[3], over: "parent").map(\.object.id)
    }
    #expect(inside == [ids[0], ids[4], ids[1]])
    #expect(try store.at(before).ancestors(of: ids[3], over: "parent").count == 2)
    #expect(try store.at(before).subtree(of: ids[0], over: "parent").count == 5)
  }

  @Test func objectsInACycleAreReturnedOnceAndMarked() throws {
    let store = try makeStore(acyclic: false)
    let ids = (0..<5).map(FolderModel.id)
    _ = try prepare(store, [nil, 0, 1, 1, 3])
    try store.write { try $0.move(ids[0], into: ids[2]) }
    let below = try store.subtree(of: ids[0], over: "children")
    #expect(below.map(\.object.id) == ids)
    #expect(below.map(\.isInCycle) == [true, true, true, false, false])
    let above = try store.ancestors(of: ids[4], over: "parent")
    #expect(above.map(\.object.id) == [ids[3], ids[1], ids[0], ids[2]])
    #expect(above.map(\.isInCycle) == [false, true, true, true])
    #expect(try store.ancestors(of: ids[0], over: "parent").map(\.object.id) == [ids[2], ids[1]])
    #expect(try store.subtree(of: ids[3], over: "children").allSatisfy { !$0.isInCycle })
  }
}
