import Daybook
import DaybookTestSupport
import DaybookTools
import Testing

/// Undo, redo and reverts of several authors, who take each other's partners, compared with a history that keeps every state.
@Suite(.hangLimit) struct RandomUndoTests {
  private static let model = Model(entities: [
    Entity(
      name: "Node",
      attributes: [
        Attribute(name: "a", type: .integer, isOptional: true), Attribute(name: "b", type: .integer, isOptional: true),
        Attribute(name: "key", type: .string, isOptional: true), Attribute(name: "blob", type: .data, isOptional: true),
      ],
      relationships: [
        Relationship(name: "up", target: "Node", inverse: "downs", isOptional: true),
        Relationship(name: "downs", target: "Node", inverse: "up", isMany: true),
        Relationship(name: "peers", target: "Node", inverse: "others", isMany: true),
        Relationship(name: "others", target: "Node", inverse: "peers", isMany: true),
        Relationship(name: "mate", target: "Node", inverse: "mateOf", isOptional: true),
        Relationship(name: "mateOf", target: "Node", inverse: "mate", isOptional: true),
        Relationship(name: "pals", target: "Node", inverse: "pals", isMany: true),
        Relationship(name: "spouse", target: "Node", inverse: "spouse", isOptional: true),
      ],
      unique: [["key"]])
  ])

  private static let stepCount = 200

  @Test(arguments: Seeds.shards) func undoAndRedoFollowTheRules(shard: Int) throws {
    var options = StoreOptions()
    options.durability = .relaxed
    try Seeds.run(Rounds.of(500), shard: shard) { seed in
      let directory = try TemporaryDirectory()
      let path = directory.path("store")
      var run = Run(store: try Store(at: path, model: Self.model, options: options), random: SeededRandom(seed: seed))
      defer { run.store.close() }
      for _ in 0..<Self.stepCount {
        if run.random.number(1...100) == 1 {
          run.store.close()
          run.store = try Store(at: path, options: options)
        }
        try run.step()
      }
      try closeAndVerify(run.store)
    }
  }

  private struct Run {
    var store: Store
    var random: SeededRandom
    private var history = PlainHistory()
    private var known: [ObjectID] = []

    init(store: Store, random: SeededRandom) {
      (self.store, self.random) = (store, random)
    }

    mutating func step() throws {
      let author = ["a", "b", nil][random.number(0...2)]
      switch random.number(0...10) {
      case 0...4: try write(by: author)
      case 10: try revert()
      case 5, 6: try restore(isRedo: false, author)
      case 7: try restore(isRedo: true, author)
      case 8: try restore(isRedo: random.number(0...1) == 0, author, steps: random.number(2...3))
      default: try force(isRedo: random.number(0...2) == 0, author)
      }
      try check()
    }

    private mutating func write(by author: String?) throws {
      let before = history.now
      var after = before
      let operations = (0..<random.number(1...4)).map { _ in random.next() }
      do {
        try store.write(author: author) { tx in
          after = before
          for number in operations { try perform(number, tx, &after) }
        }
      } catch let error as StoreError where error.code == .constraint {
        return
      }
      let head = try store.position
      if head > history.head { history.add(.init(author: author, before: before, after: after)) }
    }

    private mutating func perform(
      _ number: UInt64, _ tx: borrowing Transaction, _ state: inout PlainHistory.State
    ) throws {
      var random = SeededRandom(seed: number)
      let ids = state.keys.sorted()
      guard let id = ids.isEmpty ? nil : ids[random.number(0...ids.count - 1)],
        ids.count > 8 || random.number(0...5) > 0
      else {
        // Deleted objects return too.
        let lost = known.filter { state[$0] == nil }
        let former = lost.isEmpty || random.number(0...2) > 0 ? nil : lost[random.number(0...lost.count - 1)]
        let value = Value.integer(Int64(random.number(0...3)))
        let id = try tx.insert("Node", ["a": value], id: former)
        if former == nil { known.append(id) }
        state[id] = PlainHistory.Node(values: ["a": value, "b": .null, "key": .null, "blob": .null])
        return
      }
      let other = ids[random.number(0...ids.count - 1)]
      switch random.number(0...18) {
      case 10, 11, 12:
        // Also the node itself, named by either side.
        if random.number(0...1) == 0 {
          try tx.relate(id, "mate", to: other)
        } else {
          try tx.relate(other, "mateOf", to: id)
        }
        PlainHistory.setMate(of: id, to: other, in: &state)
      case 14, 15:
        try tx.relate(id, "spouse", to: other)
        if state[id]?.spouse != other { PlainHistory.setSpouse(of: id, to: other, in: &state) }
      case 16:
        guard let spouse = state[id]?.spouse else { return }
        try tx.unrelate(id, "spouse", from: spouse)
        PlainHistory.setSpouse(of: id, to: nil, in: &state)
      case 17:
        try tx.relate(id, "pals", to: other)
        PlainHistory.setPals(id, other, true, in: &state)
      case 18:
        guard let pal = state[id]?.pals.min() else { return }
        try tx.unrelate(id, "pals", from: pal)
        PlainHistory.setPals(id, pal, false, in: &state)
      case 13:
        guard let mate = state[id]?.mate else { return }
        try tx.unrelate(id, "mate", from: mate)
        state[id]?.mate = nil
      case 0:
        let value = random.number(0...2) == 0 ? Value.null : random.largeValue(Array(LargeSample.data.prefix(3)))
        try tx.set(id, ["blob": value])
        state[id]?.values["blob"] = value
      case 1, 2:
        let name = ["a", "b"][random.number(0...1)]
        let value = random.number(0...4) == 0 ? Value.null : .integer(Int64(random.number(0...3)))
        try tx.set(id, [name: value])
        state[id]?.values[name] = value
      case 3:
        let value = random.number(0...2) == 0 ? Value.null : .string("k\(random.number(0...5))")
        try tx.set(id, ["key": value])
        state[id]?.values["key"] = value
      case 4, 5:
        try tx.relate(id, "up", to: other)
        state[id]?.up = other
      case 6:
        guard let up = state[id]?.up else { return }
        try tx.unrelate(id, "up", from: up)
        state[id]?.up = nil
      case 7:
        try tx.relate(id, "peers", to: other)
        state[id]?.peers.insert(other)
      case 8:
        guard let peer = state[id]?.peers.min() else { return }
        try tx.unrelate(id, "peers", from: peer)
        state[id]?.peers.remove(peer)
      default:
        try tx.delete(id)
        PlainHistory.delete(id, in: &state)
      }
    }

    /// Undoes or redoes steps, and expects the outcome of the plain history; all of them or none are written.
    private mutating func restore(isRedo: Bool, _ author: String?, steps: Int = 1) throws {
      var expected = history
      var targets: [Position] = []
      var code: StoreError.Code?
      for _ in 0..<steps where code == nil {
        guard let target = isRedo ? expected.redoTarget(of: author) : expected.undoTarget(of: author) else {
          code = .notFound
          continue
        }
        guard let state = expected.restoring(target, isRedo: isRedo) else {
          code = .conflict
          continue
        }
        targets.append(target)
        expected.add(
          .init(
            author: author, undoes: isRedo ? nil : target...target, redoes: isRedo ? target : nil, before: expected.now,
            after: state))
      }
      // Whether there are enough commits is determined before the first is undone.
      if code == .conflict, lacks(steps, isRedo, author) { code = .notFound }
      do {
        let outcomes = try isRedo ? store.redo(.last(steps, of: author)) : store.undo(.last(steps, of: author))
        guard code == nil, outcomes.map(\.targets.lowerBound) == targets, outcomes.allSatisfy({ $0.omissions.isEmpty })
        else {
          throw Mismatch("\(outcomes) instead of \(targets), \(String(describing: code))")
        }
        history = expected
      } catch let error as StoreError {
        guard error.code == code else {
          throw Mismatch("\(error) instead of \(String(describing: code)) for \(targets)")
        }
      }
    }

    /// Reverts some of the last commits together, as one author's work.
    private mutating func revert() throws {
      let head = history.head.number
      guard head > 1 else { return }
      let first = Position(UInt64(random.number(max(2, Int(head) - 8)...Int(head))))
      let last = Position(min(head, first.number + UInt64(random.number(0...3))))
      let expected = history.reverting(first, through: last)
      do {
        let position = try store.undo(.commits(first, through: last))[0].position
        guard let expected else { throw Mismatch("\(first) to \(last) were reverted in spite of a conflict") }
        guard try present() == expected else {
          throw Mismatch("reverting \(first) to \(last) leads to \(try present())\ninstead of \(expected)")
        }
        guard position > history.head else { return }
        history.add(.init(author: nil, undoes: first...last, before: history.now, after: expected))
      } catch let error as StoreError where error.code == .conflict || error.code == .constraint {
        guard expected == nil else { throw Mismatch("\(error) for a revert of \(first) to \(last)") }
      }
    }

    private func lacks(_ steps: Int, _ isRedo: Bool, _ author: String?) -> Bool {
      var rest = history
      for _ in 0..<steps {
        guard let target = isRedo ? rest.redoTarget(of: author) : rest.undoTarget(of: author) else { return true }
        rest.add(
          .init(
            author: author, undoes: isRedo ? nil : target...target, redoes: isRedo ? target : nil, before: rest.now,
            after: rest.now))
      }
      return false
    }

    /// Forces an undo or a redo, which never conflicts; the result is only checked by the rules of the model.
    private mutating func force(isRedo: Bool, _ author: String?) throws {
      let target = isRedo ? history.redoTarget(of: author) : history.undoTarget(of: author)
      let expected = target.flatMap { history.restoring($0, isRedo: isRedo) }
      do {
        let outcome =
          try isRedo ? store.redo(.last(of: author), options: .force) : store.undo(.last(of: author), options: .force)
        let state = try present()
        guard outcome.map(\.targets.lowerBound) == [target], expected == nil || expected == state else {
          throw Mismatch("forced: \(outcome) instead of \(String(describing: target))")
        }
        history.add(
          .init(
            author: author, undoes: isRedo ? nil : target.map { $0...$0 }, redoes: isRedo ? target : nil,
            before: history.now, after: state))
      } catch let error as StoreError where error.code == .notFound {
        if target != nil { throw error }
      }
    }

    private func check() throws {
      let state = try present()
      guard try store.position == history.head, state == history.now else {
        throw Mismatch("at \(history.head): \(state)\ninstead of: \(history.now)")
      }
    }

    private func present() throws -> PlainHistory.State {
      try store.read { reader in
        var state = PlainHistory.State()
        for object in try reader.fetch(Request(entity: "Node")).rows {
          var node = PlainHistory.Node()
          for name in PlainHistory.attributes { node.values[name] = object[name] }
          node.up = try reader.targets(of: object.id, "up").first
          node.peers = Set(try reader.targets(of: object.id, "peers"))
          node.mate = try reader.targets(of: object.id, "mate").first
          node.pals = Set(try reader.targets(of: object.id, "pals"))
          node.spouse = try reader.targets(of: object.id, "spouse").first
          state[object.id] = node
        }
        return state
      }
    }
  }
}
