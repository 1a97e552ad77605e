import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct JointChangeTests {
  private let tags = Request(entity: "Tag", sort: [SortTerm(path: ["name"])])
  private var requests: [JointRequest] {
    [
      .rows(of: FeedModel.byName), .rows(of: tags), .value(of: FeedModel.byName.count()),
      .value(of: FeedModel.byName.sum("servings")),
    ]
  }

  @Test func aStepHasThePartsThatChanged() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      var feed = store.together(requests, from: FeedCursor(1)).makeAsyncIterator()
      let first = try #require(try await feed.next())
      #expect(first.from == 1 && first.to == 2 && feed.position == 2)
      #expect(first.change(of: FeedModel.byName)?.difference.rows == [.insert(id, to: [0, 0])])
      #expect(first.change(of: tags) == nil && first.parts[1] == nil)
      #expect(first.value(of: FeedModel.byName.count())?.value == 1)
      #expect(first.value(of: FeedModel.byName.sum("servings"))?.value == 0)
      try store.writeNow { try $0.set(id, ["servings": 3]) }
      try store.writeNow { _ = try $0.insert("Tag", ["name": "quick"]) }
      let second = try #require(try await feed.next())
      #expect(second.from == 2 && second.to == 4)
      #expect(second.change(of: FeedModel.byName)?.causes == [id: [3]])
      #expect(second.change(of: FeedModel.byName)?.to == 4)
      #expect(second.change(of: tags)?.difference.rows.count == 1)
      #expect(second.value(of: FeedModel.byName.count()) == nil)
      #expect(second.value(of: FeedModel.byName.sum("servings")) == LiveValue(position: 4, value: 3))
    }
  }

  @Test func requestsAndMeasuresStepToOnePosition() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let recipes = FeedModel.byName
      let id = try store.insertRecipes("a")[0]
      var feed = store.changes(of: recipes, tags, recipes.count(), recipes.sum("servings"), from: 1).makeAsyncIterator()
      let first = try #require(try await feed.next())
      #expect(first.0.difference.rows == [.insert(id, to: [0, 0])] && first.0.from == 1 && first.0.to == 2)
      #expect(try first.0.rows().map { $0["name"] } == ["a"])
      #expect(first.1.isEmpty && first.1.from == 1 && first.1.to == 2)
      #expect(first.2 == LiveValue(position: 2, value: 1) && first.3 == LiveValue(position: 2, value: 0))
      try store.writeNow { _ = try $0.insert("Tag", ["name": "quick"]) }
      let second = try #require(try await feed.next())
      #expect(second.0.isEmpty && second.0.from == 2 && second.0.to == 3)
      #expect(second.1.difference.rows.count == 1)
      #expect(second.2 == LiveValue(position: 3, value: 1) && second.3 == LiveValue(position: 3, value: 0))
      try store.writeNow { try $0.set(id, ["servings": 3]) }
      let third = try #require(try await feed.next())
      #expect(third.0.causes == [id: [4]] && third.1.isEmpty)
      #expect(third.3 == LiveValue(position: 4, value: 3) && feed.position == 4)
    }
  }

  @Test func aRequestThatTheModelLacksEndsTheFeedOfAll() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      var feed = store.changes(of: tags, Request(entity: "Cake")).makeAsyncIterator()
      await #expect { try await feed.next() } throws: { ($0 as? StoreError)?.code == .badRequest }
      #expect(store.notifier.isIdle)
    }
  }

  @Test func eachCommitIsAStepIfAskedFor() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      for number in 1...150 { try store.writeNow { try $0.set(id, ["servings": .integer(Int64(number))]) } }
      let joint = try store.jointResults(of: requests, granularity: .everyCommit)
      var steps: [JointChange] = []
      while let step = try joint.update() { steps.append(step) }
      #expect(steps.map(\.to.number) == Array(2...152))
      #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.to == $1.from })
      #expect(
        steps.dropFirst().map { $0.value(of: FeedModel.byName.sum("servings"))?.value }
          == (1...150).map { .integer($0) })
      #expect(joint.position == 152)
    }
  }

  @Test func theFirstStepHasAllValues() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a", "b")
      let joint = try store.jointResults(of: requests, from: FeedCursor(2))
      let step = try #require(try joint.update())
      #expect(step.from == 2 && step.to == 2)
      #expect(step.parts.map { $0 == nil } == [true, true, false, false])
      #expect(try joint.update() == nil)
    }
  }

  @Test func aStepOfAWindowNamesTheCommitsThatBroughtItsRows() async throws {
    // A row comes into reach of the window, and another one leaves the window later.
    let window = Request(entity: "Recipe", sort: [SortTerm(path: ["name"])], limit: 1)
    for isStepwise in [false, true] {
      for polls in [false, true] {
        try await withTemporaryStore(FeedModel.model) { store in
          let ids = try store.insertRecipes("a", "z")
          let joint = try store.jointResults(
            of: [.rows(of: window), .value(of: window.count())], from: FeedCursor(2),
            granularity: isStepwise ? .everyCommit : .coalesced)
          _ = try joint.update()
          let live = try store.liveResults(of: window, granularity: isStepwise ? .everyCommit : .coalesced)
          var feed = store.changes(of: window, from: 2, granularity: isStepwise ? .everyCommit : .coalesced)
            .makeAsyncIterator()
          let source = store.changes(of: window, from: 2, granularity: isStepwise ? .everyCommit : .coalesced)
            .makeSource()
          try store.writeNow { try $0.rename(ids[1], to: "b") }
          if polls {
            #expect(try joint.update() == nil && live.update() == nil && source.poll() == nil)
          }
          try store.writeNow { try $0.delete(ids[0]) }
          let expected = try store.difference(of: window, from: 2, to: 4)
          #expect(expected.causes[ids[1]] == [3])
          #expect(try joint.update()?.change(of: window) == expected)
          #expect(try await feed.next() == expected)
          #expect(try source.poll() == expected)
          // Live results begin where they were read last.
          let start = Position(polls ? 3 : 2)
          #expect(try live.update() == store.difference(of: window, from: start, to: 4))
        }
      }
    }
  }

  @Test func anEmptyStepMovesThePosition() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let joint = try store.jointResults(of: [.rows(of: tags)])
      #expect(try joint.update() == nil)
      try store.insertRecipes("a")
      #expect(try joint.update() == nil)
      #expect(joint.position == 2)
      try store.writeNow { _ = try $0.insert("Tag", ["name": "quick"]) }
      let step = try #require(try joint.update())
      #expect(step.from == 0 && step.to == 3)
    }
  }

  @Test func aRequestThatIsGivenTwiceHasTwoParts() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      let joint = try store.jointResults(of: [
        .rows(of: tags), .rows(of: FeedModel.byName), .rows(of: FeedModel.byName),
      ])
      let step = try #require(try joint.update())
      #expect(step.parts[0] == nil && step.parts[1] != nil && step.parts[1] == step.parts[2])
    }
  }

  @Test func requestsBeyondTheLimitAreRefused() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let many = Array(repeating: JointRequest.rows(of: tags), count: JointRequest.maximumCount + 1)
      for requests in [[], many] {
        #expect { try store.jointResults(of: requests) } throws: { ($0 as? StoreError)?.code == .badRequest }
        var feed = store.together(requests).makeAsyncIterator()
        await #expect(throws: StoreError.self) { try await feed.next() }
      }
      #expect { try store.jointResults(of: [.rows(of: tags), .rows(of: Request(entity: "Cake"))]) } throws: {
        ($0 as? StoreError)?.code == .badRequest
      }
      #expect(store.notifier.isIdle)
      let words = try store.jointResults(of: [.value(of: tags.sum("name"))])
      #expect { try words.update() } throws: { ($0 as? StoreError)?.code == .badRequest }
      _ = try store.jointResults(of: Array(many.dropLast()))
    }
  }

  @Test func aStartBeyondTheHeadIsRefused() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let joint = try store.jointResults(of: [.rows(of: tags)], from: FeedCursor(9))
      #expect { try joint.update() } throws: { ($0 as? StoreError)?.code == .notFound }
    }
  }

  @Test func aChangeOfTheModelResetsOnlyTheRequestsThatItConcerns() throws {
    var model = FeedModel.model
    try withTemporaryStore(model) { store in
      let id = try store.insertRecipes("file10", "file9")[0]
      let joint = try store.jointResults(of: requests, granularity: .everyCommit)
      while try joint.update() != nil {}
      model.entities[0].attributes[0].order = .natural
      try store.writeNow { try $0.set(id, ["servings": 2]) }
      try store.apply(model)
      try store.writeNow { _ = try $0.insert("Tag", ["name": "quick"]) }
      let step = try #require(try joint.update())
      #expect(step.from == 2 && step.to == 5)
      #expect(step.change(of: FeedModel.byName)?.isReset == true)
      #expect(step.change(of: tags)?.difference.rows.count == 1)
      #expect(step.value(of: FeedModel.byName.sum("servings"))?.value == 2)
      #expect(try joint.update() == nil)
    }
  }

  @Test func rowsThatAnotherFollowerMovedAreReadAtTheSamePosition() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let joint = try store.jointResults(of: requests)
      let done = Locked(false)
      let writer = Task {
        // A commit that fails ends the loops, too.
        defer { done.withLock { $0 = true } }
        for number in 0..<200 { _ = try store.insertRecipes("\(number)") }
      }
      let other = Task {
        let results = try store.liveResults(of: FeedModel.byName)
        while !done.withLock({ $0 }) {
          try results.update()
          // The tasks share few threads.
          try await Task.sleep(for: .milliseconds(1))
        }
      }
      var (ids, count) = (SectionedIDs<ObjectID>(sections: [.init(name: "", rows: [])]), Value.null)
      var isLast = false
      while !isLast {
        isLast = done.withLock { $0 }
        try await Task.sleep(for: .milliseconds(1))
        guard let step = try joint.update() else { continue }
        if let change = step.change(of: FeedModel.byName) { ids = try ids.applying(change.difference) }
        if let value = step.value(of: FeedModel.byName.count()) { count = value.value }
        #expect(count == .integer(Int64(ids.count)))
      }
      try await writer.value
      try await other.value
      #expect(ids.count == 200)
    }
  }
}
