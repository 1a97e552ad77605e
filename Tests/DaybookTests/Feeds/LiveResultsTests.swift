import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct LiveResultsTests {
  @Test func theFirstResultIsThereAtOnceAndStaysUntilItIsUpdated() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("Cake", "Apple")
      let results = try store.liveResults(of: FeedModel.byName)
      #expect(try results.count == 2)
      let ids = try store.insertRecipes("Bread")
      #expect(try results.count == 2)
      #expect(try results.row(at: RowPath(section: 0, row: 1))["name"] == "Cake")
      let change = try #require(try results.update())
      #expect(change.difference.rows == [.insert(ids[0], to: RowPath(section: 0, row: 1))])
      #expect(change.causes == [ids[0]: [3]])
      #expect(try results.row(at: RowPath(section: 0, row: 1))["name"] == "Bread")
      #expect(try results.update() == nil)
    }
  }

  @Test func anotherRequestByAModelThatBroughtWhatIsShownIsAReset() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("Cake")
      let results = try store.liveResults(of: FeedModel.byName)
      var model = FeedModel.model
      model.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
      try store.apply(model)
      try store.writeNow { try $0.set(ids[0], ["servings": 4]) }
      #expect(try results.change(to: FeedModel.byType).isReset)
      #expect(try results.count == 1)
    }
  }

  @Test func rowsAreReadAsTheyWereAtThePositionThatIsShown() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("Apple", "Bread", "Cake")
      let results = try store.liveResults(of: FeedModel.byType)
      let type = try store.writeNow { try $0.insert("RecipeType", ["name": "Dessert"]) }
      try store.writeNow { tx in
        try tx.rename(ids[0], to: "Zwieback")
        try tx.relate(ids[2], "type", to: type)
        try tx.delete(ids[1])
      }
      #expect(try results.sections.map(\.count) == [3])
      #expect(try results.row(at: RowPath(section: 0, row: 0))["name"] == "Apple")
      #expect(try results.path(of: ids[1]) == RowPath(section: 0, row: 1))
      #expect(try results.id(at: RowPath(section: 0, row: 2)) == ids[2])
      let change = try #require(try results.update())
      #expect(change.from == 2 && change.to == 4)
      #expect(try results.sections.map(\.name) == ["", "Dessert"])
      #expect(try results.path(of: ids[1]) == nil)
      #expect(try results.path(of: ids[2]) == RowPath(section: 1, row: 0))
      #expect(try results.sectionIndexTitles == ["D"])
      #expect(try results.section(forIndexTitle: "D") == 1)
    }
  }

  @Test func rowsAreReadInPages() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a", "b", "c", "d", "e")
      let results = try store.liveResults(of: FeedModel.byName)
      #expect(try results.rows(in: 0..<2).map { $0["name"] } == ["a", "b"])
      #expect(try results.rows(in: 4..<6).map { $0["name"] } == ["e"])
      #expect(try results.rows(in: 6..<8).isEmpty)
      #expect(try results.rows(in: (.max - 2)..<(.max)).isEmpty)
      #expect(try results.rows(in: 1..<4).map { $0["name"] } == ["b", "c", "d"])
    }
  }

  @Test func rowsOfASectionAreReadByTheirNumbersThere() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a", "b", "c", "d", "e")
      for (offset, section) in [(0, ["a", "b", "c", "d", "e"]), (1, ["b", "c", "d", "e"])] {
        var request = FeedModel.byType
        request.offset = offset
        let results = try store.liveResults(of: request)
        for isHeld in [false, true] {
          if isHeld { try results.freezeOrder() }
          let count = section.count
          for start in 0...count + 1 {
            for end in start...count + 2 {
              let names = try results.rows(inSection: 0, start..<end).map { $0["name"] }
              let expected = section[min(start, count)..<min(end, count)].map { Value.string($0) }
              #expect(names == expected, "rows \(start)..<\(end)")
            }
          }
          #expect(try results.rows(inSection: 1, 0..<5).isEmpty)
          #expect(try results.rows(inSection: -1, 0..<5).isEmpty)
        }
      }
    }
  }

  @Test func aPathThatIsNotThereIsAnError() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      let results = try store.liveResults(of: FeedModel.byType)
      for path in [RowPath(section: 0, row: 1), RowPath(section: 1, row: 0), RowPath(section: -1, row: 0)] {
        #expect(try results.id(at: path) == nil)
        #expect(throws: StoreError.self) { try results.row(at: path) }
      }
    }
  }

  @Test func changingTheRequestGivesADifference() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a", "b", "c", "d")
      let results = try store.liveResults(of: FeedModel.byName)
      let before = try results.ids
      let late = try store.insertRecipes("e")
      var request = FeedModel.byName
      request.filter = try Filter(parsing: #"name != "b""#)
      request.sort = [SortTerm(path: ["name"], .descending)]
      let change = try results.change(to: request)
      #expect(try before.applying(change.difference) == results.ids)
      #expect(try results.names() == [["e", "d", "c", "a"]])
      #expect(change.difference.rows.contains { $0.id == late[0] })
      #expect(results.request == request)
      try store.insertRecipes("f")
      #expect(try results.update()?.difference.rows.count == 1)
    }
  }

  @Test func aRequestThatIsWrongChangesNothing() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      let results = try store.liveResults(of: FeedModel.byName)
      #expect(throws: StoreError.self) { try results.change(to: Request(entity: "Nothing")) }
      try store.insertRecipes("b")
      #expect(try results.update()?.difference.rows.count == 1)
      #expect(throws: StoreError.self) { try store.liveResults(of: Request(entity: "Nothing")) }
    }
  }

  @Test func rowsKeepTheirPlacesWhileTheOrderIsHeld() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b", "c", "d")
      let results = try store.liveResults(of: FeedModel.byName)
      try results.freezeOrder()
      var shown = try results.ids
      try store.writeNow { try $0.rename(ids[0], to: "z") }
      let renamed = try #require(try results.update())
      #expect(renamed.difference.rows == [.update(ids[0], from: [0, 0], to: [0, 0])])
      #expect(try results.row(at: RowPath(section: 0, row: 0))["name"] == "z")
      shown = try shown.applying(renamed.difference)
      let new = try store.insertRecipes("aa")
      #expect(try results.update() == nil)
      try store.writeNow { try $0.delete(ids[1]) }
      let deleted = try #require(try results.update())
      #expect(deleted.difference.rows == [.delete(ids[1], from: [0, 1])])
      shown = try shown.applying(deleted.difference)
      #expect(try results.ids == shown)
      let released = try #require(try results.thawOrder())
      #expect(Set(released.difference.rows.map(\.id)) == [ids[0], new[0]])
      #expect(try shown.applying(released.difference) == results.ids)
      #expect(try results.names() == [["aa", "c", "d", "z"]])
      #expect(!results.isOrderFrozen)
    }
  }

  @Test func changesComeAsASequence() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let results = try store.liveResults(of: FeedModel.byName)
      let task = Task {
        var list = SectionedIDs<ObjectID>(unsectioned: [])
        for try await change in results.changes {
          list = try list.applying(change.difference)
          if list.count == 3 { return list }
        }
        return list
      }
      for name in ["b", "c", "a"] { try store.insertRecipes(name) }
      #expect(try await task.value == results.ids)
    }
  }

  @Test func aDifferenceHasItsSectionsBeforeItsRowsAndTheirCauses() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let dessert = try store.writeNow { try $0.insert("RecipeType", ["name": "Dessert"]) }
      let ids = try store.insertRecipes("a", "b")
      let results = try store.liveResults(of: FeedModel.byType)
      try store.writeNow { tx in
        try tx.relate(ids[0], "type", to: dessert)
        try tx.relate(ids[1], "type", to: dessert)
      }
      let change = try #require(try results.update())
      #expect(
        change.difference.sections.map(\.description) == ["delete section 0 \"\"", "insert section 0 \"Dessert\""])
      #expect(change.difference.rows.map(\.from) == [[0, 0], [0, 1]])
      #expect(change.difference.rows.map(\.to) == [[0, 0], [0, 1]])
      #expect(ids.map { change.causes[$0] } == [[4], [4]])
    }
  }

  @Test func sectionOrdersThatOnlyLookAlikeShareNothing() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a", "\u{e9}", "e\u{301}")
      func request(_ order: [String]) -> Request<StoredObject> {
        Request(entity: "Recipe", section: SectionKey(path: ["name"], order: order))
      }
      let composed = try store.liveResults(of: request(["\u{e9}"]))
      let decomposed = try store.liveResults(of: request(["e\u{301}"]))
      #expect(try composed.sections.map { Array($0.name.utf8) } == ["\u{e9}", "a", "e\u{301}"].map { Array($0.utf8) })
      #expect(
        try decomposed.sections.map { Array($0.name.utf8) } == ["e\u{301}", "a", "\u{e9}"].map { Array($0.utf8) })
    }
  }

  @Test func aListIsReadWhileAnotherReaderOfTheRequestIsBusy() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a", "b")
      let results = try store.liveResults(of: FeedModel.byName)
      let live = try store.notifier.follow([FeedModel.byName.fetch], Wakeup())[0]
      let isRead = try live.withHead { _, _ in
        try store.insertRecipes("c")
        let done = DispatchSemaphore(value: 0)
        Thread {
          // One list follows the head, the other stays at its own position.
          if (try? results.rows(in: 0..<50).count) == 2, (try? results.update()) != nil,
            (try? results.rows(in: 0..<50).count) == 3
          {
            done.signal()
          }
        }.start()
        return done.wait(timeout: .now() + 20) == .success
      }
      #expect(isRead)
    }
  }

  @Test func aStepwiseListFarFromTheHeadShowsEachStep() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b", "c")
      let results = try store.liveResults(of: FeedModel.byName, granularity: .everyCommit)
      for number in 0..<1_500 { try store.writeNow { try $0.rename(ids[number % 3], to: "\(number)") } }
      for _ in 0..<1_500 {
        let change = try #require(try results.update())
        let names = try results.names()[0]
        #expect(names.contains(String(change.to.number - 3)))
      }
      #expect(try results.update() == nil)
    }
  }

  @Test func twoLoopsShareTheDifferences() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let results = try store.liveResults(of: FeedModel.byName)
      let told = Locked<[Position]>([])
      let loops = (0..<3).map { _ in
        Task { for try await change in results.changes { told.withLock { $0.append(change.to) } } }
      }
      for name in ["a", "b", "c"] {
        try store.insertRecipes(name)
        let head = try store.position
        while told.withLock({ $0.last }) != head { try await Task.sleep(for: .milliseconds(1)) }
      }
      #expect(told.withLock { $0 } == [2, 3, 4])
      // A loop that ends does not affect the others.
      loops[0].cancel()
      _ = await loops[0].result
      try store.insertRecipes("d")
      while told.withLock({ $0.last }) != 5 { try await Task.sleep(for: .milliseconds(1)) }
      for loop in loops { loop.cancel() }
      for loop in loops { _ = await loop.result }
    }
  }

  @MainActor @Test func aFeedThatHasMuchToTellLetsOthersOntoItsActor() async throws {
    let wakeup = Wakeup()
    var isDone = false
    var count = 0
    Task { @MainActor in isDone = true }
    while !isDone, count < 1_000 {
      count += 1
      _ = await wakeup.next { count }
    }
    #expect(isDone)
  }

  @Test func equalRequestsShareWhatTheyNeed() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      let (first, second) = (try store.liveResults(of: FeedModel.byName), try store.liveResults(of: FeedModel.byName))
      try store.insertRecipes("b")
      #expect(try first.update()?.difference == second.update()?.difference)
      try store.insertRecipes("c")
      try store.insertRecipes("d")
      #expect(try first.update()?.difference.rows.count == 2)
      try store.insertRecipes("e")
      #expect(try second.update()?.difference.rows.count == 3)
      #expect(try first.update()?.difference.rows.count == 1)
      #expect(try first.ids == second.ids)
    }
  }
}

extension RowPath: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Int...) {
    self.init(section: elements[0], row: elements[1])
  }
}
