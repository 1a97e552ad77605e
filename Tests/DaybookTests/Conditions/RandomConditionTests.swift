import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Random commits with conditions since random positions, compared with a list of states.
@Suite(.hangLimit) struct RandomConditionTests {
  @Test func conditionsHoldExactlyWhereTheStatesSaySo() throws {
    try Seeds.run(3) { seed in
      try withTemporaryStore(FeedModel.model) { store in
        var run = ConditionRun(store: store, seed: seed)
        for _ in 0..<120 { try run.step() }
        #expect(run.heldCount > 20 && run.failedCount > 20, "Both answers must come up.")
      }
    }
  }
}

/// A store with all its states so far as plain values.
private struct ConditionRun {
  private struct Recipe: Equatable {
    var name: String
    var servings: Int64
    var type: ObjectID?
  }

  private struct State {
    var recipes: [ObjectID: Recipe] = [:]
    /// The objects that the state's commit named.
    var touched: Set<ObjectID> = []
  }

  private let store: Store
  private var random: SeededRandom
  /// By position.
  private var states = [State(), State()]
  private var types: [ObjectID] = []
  private(set) var heldCount = 0
  private(set) var failedCount = 0

  init(store: Store, seed: UInt64) {
    self.store = store
    random = SeededRandom(seed: seed)
  }

  /// Writes a commit of some operations, under a condition that may fail.
  mutating func step() throws {
    let head = Position(UInt64(states.count - 1))
    let since = Position(UInt64(random.number(max(0, states.count - 6)...states.count - 1)))
    let condition: AppendCondition
    let expected: Bool
    if random.isTrue(percent: 50), let id = states.flatMap(\.recipes.keys).sorted().randomElement(using: &random) {
      condition = .untouched(id, since: since)
      expected = !states[Int(since.number + 1)...].contains { $0.touched.contains(id) }
    } else {
      let limit = random.isTrue(percent: 40) ? random.number(1...3) : nil
      let offset = random.isTrue(percent: 30) ? random.number(1...2) : 0
      let least = Int64(random.number(0...3))
      let request = Request<StoredObject>(
        entity: "Recipe", filter: try Filter(parsing: "servings >= \(least)"), sort: [SortTerm(path: ["name"])],
        limit: limit, offset: offset)
      condition = .unchanged(request, since: since)
      func rows(_ state: State) -> [String] {
        let all = state.recipes.filter { $0.value.servings >= least }.sorted {
          ($0.value.name, $0.key) < ($1.value.name, $1.key)
        }
        return all.dropFirst(offset).prefix(limit ?? .max).map { "\($0)" }
      }
      expected = rows(states[Int(since.number)]) == rows(states[states.count - 1])
    }
    var next = State(recipes: states[states.count - 1].recipes)
    var random = random
    let types = types
    var newType: ObjectID?
    do {
      try store.write(CommitInfo(when: condition)) { tx in
        for _ in 0..<random.number(1...3) { try ConditionRun.change(&next, types, &newType, &random, tx) }
      }
      guard expected else { throw Mismatch("\(condition) held at \(head), but should not") }
      heldCount += 1
    } catch let error as StoreError where error.code == .conditionFailed {
      guard !expected else { throw Mismatch("\(condition) failed at \(head), but should hold: \(error)") }
      guard let conflict = error.conflict, conflict.positions.allSatisfy({ $0 > since && $0 <= head }),
        !conflict.positions.isEmpty
      else { throw Mismatch("a conflict without commits: \(error)") }
      if let id = conflict.object {
        let positions = states.indices.filter { $0 > since.number && states[$0].touched.contains(id) }
        guard conflict.positions.map({ Int($0.number) }) == positions else {
          throw Mismatch("\(id) was touched by \(positions), not by \(conflict.positions)")
        }
      }
      failedCount += 1
      // The head must advance, or the same condition would be tested again.
      try store.write { tx in
        for _ in 0..<2 { try ConditionRun.change(&next, types, &newType, &random, tx) }
      }
    }
    self.random = random
    if let newType { self.types.append(newType) }
    if try store.position > head { states.append(next) }
  }

  private static func change(
    _ state: inout State, _ types: [ObjectID], _ newType: inout ObjectID?, _ random: inout SeededRandom,
    _ tx: borrowing Transaction
  ) throws {
    let id = state.recipes.keys.sorted().randomElement(using: &random)
    switch (random.number(0...9), id) {
    case (0, _):
      guard newType == nil else { return }
      let id = try tx.insert("RecipeType", ["name": "type"])
      newType = id
    case (1...3, _), (_, nil):
      let recipe = Recipe(
        name: "\(random.number(0...9))", servings: Int64(random.number(0...5)), type: nil)
      let id = try tx.insert("Recipe", ["name": .string(recipe.name), "servings": .integer(recipe.servings)])
      state.recipes[id] = recipe
      state.touched.insert(id)
    case (4, let id?):
      if let type = state.recipes[id]?.type { state.touched.insert(type) }
      try tx.delete(id)
      state.recipes[id] = nil
      state.touched.insert(id)
    case (5, let id?):
      guard let type = types.randomElement(using: &random), type != state.recipes[id]?.type else { return }
      try tx.relate(id, "type", to: type)
      state.recipes[id]?.type = type
      state.touched.insert(id)
    case (6, let id?):
      let name = "\(random.number(0...9))"
      guard name != state.recipes[id]?.name else { return }
      try tx.rename(id, to: name)
      state.recipes[id]?.name = name
      state.touched.insert(id)
    case (_, let id?):
      let servings = Int64(random.number(0...5))
      guard servings != state.recipes[id]?.servings else { return }
      try tx.set(id, ["servings": .integer(servings)])
      state.recipes[id]?.servings = servings
      state.touched.insert(id)
    }
  }
}
