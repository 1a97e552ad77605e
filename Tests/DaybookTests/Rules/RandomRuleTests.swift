import Daybook
import DaybookModel
import DaybookTestSupport
import Testing

/// Random commits against a plain model of the rules: what is taken, what is refused, and why.
@Suite(.hangLimit) struct RandomRuleTests {
  @Test(arguments: Seeds.shards) func aCommitIsTakenIfAllRulesHold(shard: Int) throws {
    try Seeds.run(4, shard: shard) { seed in
      try withTemporaryStore(RuleModel.model, options: .repeatable()) { store in
        var run = RuleRun(store, SeededRandom(seed: seed))
        for _ in 0..<Rounds.of(700) { try run.step() }
        guard run.takenCount > 5, run.refusedCount > 5 else {
          throw Mismatch("\(run.takenCount) taken, \(run.refusedCount) refused")
        }
        guard try store.verify().faults.isEmpty else { throw Mismatch("verify finds faults") }
      }
    }
  }
}

/// A task and its items, as plain values.
private struct PlainTask: Equatable {
  var values: [String: Value]
  /// The names of the rules that it breaks.
  func broken(_ weights: [Int64]) -> Set<String> {
    var rules: Set<String> = []
    func fail(_ rule: String, if isBroken: Bool) { if isBroken { rules.insert(rule) } }
    if case .string(let name)? = values["name"] {
      fail("minimumLength", if: name.isEmpty)
      fail("maximumLength", if: name.count > 4)
      fail("pattern", if: !name.allSatisfy { "abcd".contains($0) })
    }
    if case .integer(let size)? = values["size"] {
      fail("minimum", if: size < 2)
      fail("maximum", if: size > 6)
    }
    if case .string(let kind)? = values["kind"] { fail("oneOf", if: kind != "x" && kind != "y") }
    if case .integer(let due)? = values["due"], case .integer(let start)? = values["start"] {
      fail("due == nil OR due >= start", if: due < start)
    }
    fail("weight <= 9", if: weights.reduce(0, +) > 9)
    fail("NOT ANY items.weight == 7", if: weights.contains(7))
    fail("COUNT(items WHERE weight == 4) <= 1", if: weights.filter { $0 == 4 }.count > 1)
    fail("least", if: weights.isEmpty)
    fail("most", if: weights.count > 3)
    return rules
  }
}

private struct RuleRun {
  let store: Store
  var random: SeededRandom
  var tasks: [ObjectID: PlainTask] = [:]
  var items: [ObjectID: (task: ObjectID?, weight: Int64)] = [:]
  private(set) var takenCount = 0
  private(set) var refusedCount = 0

  init(_ store: Store, _ random: SeededRandom) {
    (self.store, self.random) = (store, random)
  }

  /// Writes one commit of a few random verbs, through a write or an editing context.
  mutating func step() throws {
    var next = self
    let context = try store.makeContext()
    try next.change(context)
    let wanted = next.broken
    let failures = try context.preview().failures
    let found = Set(failures.compactMap(\.failure).map { "\($0.object) \($0.name)" })
    guard failures.allSatisfy({ $0.failure != nil }), found == wanted else {
      throw Mismatch("broken are \(found.sorted()), and \(wanted.sorted()) were expected")
    }
    do {
      try context.save()
      guard wanted.isEmpty else { throw Mismatch("a commit that breaks \(wanted) was taken") }
      self = next
      takenCount += 1
    } catch let error as StoreError {
      guard let failure = error.failure, wanted.contains("\(failure.object) \(failure.name)") else { throw error }
      random = next.random
      refusedCount += 1
    }
  }

  private var broken: Set<String> {
    var broken: Set<String> = []
    for (id, task) in tasks {
      let weights = items.values.filter { $0.task == id }.map(\.weight)
      for rule in task.broken(weights) { broken.insert("\(id) \(rule)") }
    }
    return broken
  }

  private mutating func change(_ context: EditingContext) throws {
    for _ in 0..<random.number(1...3) {
      let known = tasks.keys.sorted()
      let parts = items.keys.sorted()
      switch random.number(0...9) {
      case 0...1 where known.count < 5:
        let task = try context.insert("Task", ["name": "a"])
        tasks[task] = PlainTask(values: ["name": "a", "start": 0])
        if random.isTrue(percent: 80) { try addItem(to: task, context) }
      case 2 where !known.isEmpty:
        let task = random.pick(known)
        try context.delete(task)
        tasks[task] = nil
        for (id, item) in items where item.task == task { items[id]?.task = nil }
      case 3...5 where !known.isEmpty: try set(random.pick(known), context)
      case 6 where !known.isEmpty && parts.count < 14: try addItem(to: random.pick(known), context)
      case 7 where !parts.isEmpty:
        let (item, weight) = (random.pick(parts), Int64(random.number(0...8)))
        try context.set(item, ["weight": .integer(weight)])
        items[item]?.weight = weight
      case 8 where !parts.isEmpty && !known.isEmpty:
        let (item, task) = (random.pick(parts), random.pick(known))
        try context.relate(item, "task", to: task)
        items[item]?.task = task
      case 9 where !parts.isEmpty:
        let item = random.pick(parts)
        try context.delete(item)
        items[item] = nil
      default: continue
      }
    }
  }

  private mutating func addItem(to task: ObjectID, _ context: EditingContext) throws {
    let weight = Int64(random.number(0...4))
    let item = try context.insert("Item", ["weight": .integer(weight)])
    try context.relate(item, "task", to: task)
    items[item] = (task, weight)
  }

  private mutating func set(_ task: ObjectID, _ context: EditingContext) throws {
    let (key, value): (String, Value) =
      switch random.number(0...4) {
      case 0: ("name", .string(random.pick(["", "a", "abcd", "abcda", "xyz", "dd"])))
      case 1: ("size", random.isTrue(percent: 20) ? Value.null : .integer(Int64(random.number(0...8))))
      case 2: ("kind", random.pick([Value.null, "x", "y", "z"]))
      case 3: ("due", random.isTrue(percent: 30) ? Value.null : .integer(Int64(random.number(-3...3))))
      default: ("start", .integer(Int64(random.number(-3...3))))
      }
    try context.set(task, [key: value])
    tasks[task]?.values[key] = value
  }
}

private extension ConstraintFailure {
  /// The name of the rule, as the plain model has it.
  var name: String {
    switch rule {
    case .attribute(.minimum): "minimum"
    case .attribute(.maximum): "maximum"
    case .attribute(.minimumLength): "minimumLength"
    case .attribute(.maximumLength): "maximumLength"
    case .attribute(.pattern): "pattern"
    case .attribute(.oneOf): "oneOf"
    case .condition(let text): text
    case .least: "least"
    case .most: "most"
    default: "another rule"
    }
  }
}
