import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Reading many commits one by one, from far before the head.
@Suite(.hangLimit) struct CatchUpTests {
  private static let requests = [
    FeedModel.byName, FeedModel.byType,
    // The timeline is a view, whose rows are counted instead of held.
    Request(entity: "Recipe", sort: [SortTerm(path: ["createdAt"], .descending)], limit: 5, offset: 2),
  ]

  @Test(arguments: requests.indices)
  func eachCommitIsToldAsItWasWhileTheHeadMovesOn(_ number: Int) throws {
    let request = CatchUpTests.requests[number]
    try withTemporaryStore(FeedModel.model) { store in
      var writer = RecipeWriter(store, seed: UInt64(number))
      for _ in 0..<200 { try writer.commit() }
      let others = try store.liveResults(of: request)
      let start = try store.position.number / 10
      let reader = store.changes(of: request, from: Position(start), granularity: .everyCommit).makeSource()
      var last = Position(start)
      while let change = try reader.poll() {
        #expect(change.from == last)
        for position in last.number..<(change.to.number - 1) {
          let nothing = try store.difference(of: request, from: Position(position), to: Position(position + 1))
          #expect(nothing.isEmpty)
        }
        let wanted = try store.difference(of: request, from: last, to: change.to)
        #expect(change.difference == wanted.difference && change.causes == wanted.causes)
        last = change.to
        // During the catch-up the head moves, also through other readers of the shared order.
        if writer.count < 260 { try writer.commit() }
        if writer.count % 3 == 0 { _ = try others.update() }
      }
      #expect(writer.count == 260)
      #expect(try reader.position == store.position)
    }
  }
}

/// Writes random commits of recipes and their types.
struct RecipeWriter {
  private let store: Store
  private var random: SeededRandom
  private var recipes: [ObjectID] = []
  private var types: [ObjectID] = []
  /// The number of commits so far.
  private(set) var count = 0

  init(_ store: Store, seed: UInt64) {
    self.store = store
    random = SeededRandom(seed: seed)
  }

  mutating func commit() throws {
    count += 1
    let name = String(random.number(0...40))
    if types.isEmpty || random.isTrue(percent: 4) {
      types.append(try store.writeNow { try $0.insert("RecipeType", ["name": .string(name)]) })
      return
    }
    let type = random.pick(types)
    guard recipes.count > 5, !random.isTrue(percent: 25) else {
      recipes += try store.insertRecipes(name, name + "b", type: type)
      return
    }
    let index = random.number(0...recipes.count - 1)
    let recipe = recipes[index]
    switch random.number(0...5) {
    case 0:
      try store.writeNow { try $0.delete(recipe) }
      recipes.remove(at: index)
    case 1: try store.writeNow { try $0.relate(recipe, "type", to: type) }
    case 2: try store.writeNow { try $0.rename(type, to: name) }
    case 3: try store.writeNow { try $0.set(recipe, ["servings": .integer(Int64(name)!)]) }
    default: try store.writeNow { try $0.rename(recipe, to: name) }
    }
  }
}
