import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// What is followed while models rename what it names, and rename it back.
@Suite(.hangLimit) struct RenamedModelTests {
  private enum Part: CaseIterable { case entity, attribute, relationship }

  /// When another request is followed: before the renames, between them, or after both.
  private enum Moment: CaseIterable { case before, between, after }

  private let request = Request<StoredObject>(
    entity: "Recipe", sort: [SortTerm(path: ["name"])], section: SectionKey(path: ["type", "name"]))

  private func change(_ store: Store, _ change: (inout Model) -> Void) throws {
    var model = try store.read { $0.model }
    change(&model)
    try store.apply(model)
  }

  /// Renames a part of the model that the request names, and leaves all else.
  private func rename(_ part: Part, to name: String, in model: inout Model) {
    switch part {
    case .entity:
      let old = model.entities[0].name
      (model.entities[0].name, model.entities[0].renamedFrom) = (name, old)
      for entity in model.entities.indices {
        for number in model.entities[entity].relationships.indices
        where model.entities[entity].relationships[number].target == old {
          model.entities[entity].relationships[number].target = name
        }
      }
    case .attribute:
      model.entities[0].attributes[0].renamedFrom = model.entities[0].attributes[0].name
      model.entities[0].attributes[0].name = name
      model.entities[0].nameAttribute = name
    case .relationship:
      model.entities[0].relationships[0].renamedFrom = model.entities[0].relationships[0].name
      model.entities[0].relationships[0].name = name
      model.entities[1].relationships[0].inverse = name
    }
  }

  private func formerName(_ part: Part) -> String {
    switch part {
    case .entity: "Recipe"
    case .attribute: "name"
    case .relationship: "type"
    }
  }

  /// Waits until the notifier has examined all commits: only then may it leave some out.
  private func awaitExamination(_ store: Store) throws {
    let head = try store.position
    for _ in 0..<1_000 where store.notifier.seen < head { usleep(1_000) }
    #expect(store.notifier.seen == head)
  }

  private func expectBadRequest(_ body: () throws -> Void) {
    let error = #expect(throws: StoreError.self) { try body() }
    #expect(error?.code == .badRequest)
  }

  @Test func eachFollowerReceivesEachCommitAfterTheRenames() throws {
    for part in Part.allCases {
      for moment in Moment.allCases {
        for polls in [false, true] { try follow(part, moment, pollsBetween: polls) }
      }
    }
  }

  private func follow(_ part: Part, _ moment: Moment, pollsBetween: Bool) throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b")
      let start = try store.position
      let live = try store.liveResults(of: request)
      let stepwise = try store.liveResults(of: request, granularity: .everyCommit)
      let feed = store.changes(of: request, from: start, granularity: .coalesced).makeSource()
      let feedOfSteps = store.changes(of: request, from: start, granularity: .everyCommit).makeSource()
      let greatest = store.values(of: request.maximum("name")).makeSource()
      #expect(try greatest.poll()?.value == "b")
      let joint = try store.jointResults(
        of: [.rows(of: request), .value(of: request.maximum("name"))], from: FeedCursor(start))
      #expect(try joint.update()?.to == start)
      #expect(try feed.poll() == nil && feedOfSteps.poll() == nil)
      var others: [LiveResults<StoredObject>] = []
      func followOther(_ now: Moment) throws {
        if now == moment { others.append(try store.liveResults(of: Request(entity: "Tag"))) }
      }
      try followOther(.before)
      try change(store) { rename(part, to: "other", in: &$0) }
      if pollsBetween {
        expectBadRequest { _ = try live.update() }
        expectBadRequest { _ = try stepwise.update() }
        expectBadRequest { _ = try feed.poll() }
        expectBadRequest { _ = try feedOfSteps.poll() }
        expectBadRequest { _ = try greatest.poll() }
        expectBadRequest { _ = try joint.update() }
      }
      try followOther(.between)
      // Under the other name a row changes too.
      let name = part == .attribute ? "other" : "name"
      try store.writeNow { try $0.set(ids[0], [name: "c"]) }
      try change(store) { rename(part, to: formerName(part), in: &$0) }
      try followOther(.after)
      try awaitExamination(store)
      var expected = try store.fetch(request).ids
      for results in [live, stepwise] {
        while try results.update() != nil {}
        #expect(try results.ids == expected, "\(part), \(moment)")
      }
      while try feed.poll() != nil {}
      while try feedOfSteps.poll() != nil {}
      while try greatest.poll() != nil {}
      while try joint.update() != nil {}
      try store.writeNow { try $0.rename(ids[1], to: "d") }
      try store.writeNow { _ = try $0.insert("Recipe", ["name": "e"]) }
      try awaitExamination(store)
      let head = try store.position
      expected = try store.fetch(request).ids
      #expect(try live.update()?.to == head && live.ids == expected, "\(part), \(moment)")
      #expect(try stepwise.update()?.to == Position(head.number - 1), "\(part), \(moment)")
      #expect(try stepwise.update()?.to == head && stepwise.ids == expected, "\(part), \(moment)")
      #expect(try feed.poll()?.to == head, "\(part), \(moment)")
      #expect(try feedOfSteps.poll()?.to == Position(head.number - 1), "\(part), \(moment)")
      #expect(try feedOfSteps.poll()?.to == head, "\(part), \(moment)")
      #expect(try greatest.poll()?.value == "e", "\(part), \(moment)")
      let step = try joint.update()
      #expect(step?.to == head && step?.change(of: request) != nil, "\(part), \(moment)")
      #expect(step?.value(of: request.maximum("name"))?.value == "e", "\(part), \(moment)")
    }
  }

  /// A request that the former model could not resolve is not in the index, whatever was added to it since.
  @Test func anIndexThatWasFilledUnderALaterModelAnswersForNoEarlierOne() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try change(store) { rename(.entity, to: "Dish", in: &$0) }
      try change(store) { rename(.entity, to: "Recipe", in: &$0) }
      let wakeup = Wakeup()
      let live = try store.notifier.follow([Request(entity: "Tag").fetch], wakeup)[0]
      defer { store.notifier.unfollow(live, wakeup) }
      try store.insertRecipes("a")
      try store.read { reader in
        var index = LiveIndex()
        _ = try index.adding(live, in: reader.resolvedModel)
        let counts = try [1, 2, 3].map { try index.touched(since: Position($0), in: reader)?.requests.count }
        #expect(counts == [nil, nil, 0])
      }
    }
  }

  @Test func resultsOfAContextAreResetByARebaseOntoAnotherModel() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b")
      let context = try store.makeContext()
      let results = try context.liveResults(of: request)
      try context.rename(ids[0], to: "c")
      _ = try results.update()
      try change(store) { rename(.entity, to: "Dish", in: &$0) }
      try change(store) { rename(.entity, to: "Recipe", in: &$0) }
      try store.writeNow { try $0.rename(ids[1], to: "d") }
      try context.rebase()
      _ = try results.update()
      #expect(try results.ids == context.fetch(request).ids)
      try context.rename(ids[0], to: "e")
      #expect(try results.update() != nil)
      #expect(try results.ids == context.fetch(request).ids)
      #expect(try results.fetched().rows.map { $0["name"] } == ["d", "e"])
    }
  }

  @Test func aMeasureWhoseNameGoesToAnotherTypeFailsUntilItHasNumbersAgain() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b")
      try store.writeNow { tx in for id in ids { try tx.set(id, ["servings": 2]) } }
      let sums = store.values(of: request.sum("servings")).makeSource()
      #expect(try sums.poll()?.value == 4)
      try change(store) { model in
        (model.entities[0].attributes[1].name, model.entities[0].attributes[1].renamedFrom) = ("portions", "servings")
        model.entities[0].attributes.append(Attribute(name: "servings", type: .string, isOptional: true))
      }
      // Each call fails, not the first alone.
      for _ in 0..<2 { expectBadRequest { _ = try sums.poll() } }
      try store.writeNow { try $0.set(ids[0], ["portions": 3]) }
      expectBadRequest { _ = try sums.poll() }
      try change(store) { $0.entities[0].attributes.removeLast() }
      try change(store) { model in
        (model.entities[0].attributes[1].name, model.entities[0].attributes[1].renamedFrom) = ("servings", "portions")
      }
      #expect(try sums.poll() == LiveValue(position: try store.position, value: 5))
      #expect(try sums.poll() == nil)
    }
  }
}
