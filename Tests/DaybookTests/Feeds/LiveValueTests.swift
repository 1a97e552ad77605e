import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct LiveValueTests {
  @Test func valuesAreThoseOfTheRows() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.writeNow { tx in
        for (name, servings, weight) in [("a", 4, 0.5), ("b", 2, 0.25), ("c", 6, 2)] {
          try tx.insert(
            "Recipe", ["name": .string(name), "servings": .integer(Int64(servings)), "weight": .double(weight)])
        }
        try tx.insert("Recipe", ["name": "d"])
      }
      let request = FeedModel.byName
      #expect(try store.value(of: request.count()).value == 4)
      #expect(try store.value(of: request.sum("servings")).value == 12)
      #expect(try store.value(of: request.minimum("servings")).value == 2)
      #expect(try store.value(of: request.maximum("name")).value == "d")
      #expect(try store.value(of: request.average("servings")).value == .double(4))
      #expect(try store.value(of: request.sum("weight")).value == .double(2.75))
      var window = request
      (window.offset, window.limit) = (1, 2)
      #expect(try store.value(of: window.sum("servings")).value == 8)
      window.filter = try Filter(parsing: "servings > 100")
      #expect(try store.value(of: window.sum("servings")).value == 0)
      #expect(try store.value(of: window.minimum("servings")).value == .null)
      #expect(throws: StoreError.self) { try store.value(of: request.sum("name")) }
      #expect(throws: StoreError.self) { try store.value(of: request.minimum("tags.name")) }
    }
  }

  @Test func `a sum that its type does not have is an error with its position, and returns when it fits`() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.writeNow { tx in
        try (0..<2).map { _ in
          try tx.insert(
            "Recipe", ["name": "a", "servings": .integer(.max), "weight": .double(.greatestFiniteMagnitude)])
        }
      }
      let request = FeedModel.byName
      func message(_ measure: Measure<StoredObject>) -> String? {
        do {
          _ = try store.value(of: measure)
          return nil
        } catch let error as StoreError where error.code == .badValue {
          return error.message
        } catch {
          return "\(error)"
        }
      }
      #expect(
        message(request.sum("servings")) == "The sum of “servings” at position 2 has no value: it does not fit 64 bits."
      )
      #expect(
        message(request.sum("weight"))
          == "The sum of “weight” at position 2 has no value: it is beyond the range of doubles.")
      #expect(try store.value(of: request.average("servings")).value == .double(0x1p63))
      #expect(try store.value(of: request.average("weight")).value == .double(.greatestFiniteMagnitude))
      try store.writeNow { try $0.set(ids[0], ["servings": -1, "weight": .double(-.infinity)]) }
      #expect(try store.value(of: request.sum("servings")).value == .integer(.max - 1))
      #expect(try store.value(of: request.sum("weight")).value == .double(-.infinity))
      try store.writeNow { try $0.set(ids[1], ["weight": .double(.infinity)]) }
      #expect(message(request.average("weight"))?.contains("infinities of both signs") == true)
    }
  }

  @Test func `a feed ends with the error of a sum, and the next one begins where it fits`() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let id = try store.writeNow { try $0.insert("Recipe", ["name": "a", "servings": .integer(.max)]) }
      var feed = store.values(of: FeedModel.byName.sum("servings")).makeAsyncIterator()
      #expect(try await feed.next()?.value == .integer(.max))
      let other = try store.writeNow { try $0.insert("Recipe", ["name": "b", "servings": 1]) }
      await #expect(throws: StoreError.self) { try await feed.next() }
      try store.writeNow { try $0.set(other, ["servings": 0]) }
      var next = store.values(of: FeedModel.byName.sum("servings")).makeAsyncIterator()
      #expect(try await next.next()?.value == .integer(.max))
      try store.writeNow { try $0.delete(id) }
      #expect(try await next.next()?.value == 0)
    }
  }

  @Test func aFeedGoesOnByTheModelThatComes() async throws {
    var model = FeedModel.model
    try await withTemporaryStore(model) { store in
      let ids = try store.insertRecipes("file10", "file9")
      try store.writeNow { tx in
        for id in ids { try tx.set(id, ["servings": 3, "weight": 0.5]) }
      }
      var servings = store.values(of: FeedModel.byName.sum("servings")).makeAsyncIterator()
      var weight = store.values(of: FeedModel.byName.sum("weight")).makeAsyncIterator()
      var first = store.values(of: FeedModel.byName.minimum("name")).makeAsyncIterator()
      #expect(try await servings.next()?.value == 6)
      #expect(try await weight.next()?.value == .double(1))
      #expect(try await first.next()?.value == "file10")
      // The attributes have other numbers, and the names another order.
      model.entities[0].attributes[0].order = .natural
      let weightAttribute = model.entities[0].attributes.remove(at: 2)
      model.entities[0].attributes.insert(weightAttribute, at: 1)
      try store.apply(model)
      #expect(try await first.next()?.value == "file9")
      try store.writeNow { try $0.set(ids[0], ["servings": 4, "weight": 1.5]) }
      #expect(try await servings.next()?.value == 7)
      #expect(try await weight.next()?.value == .double(2))
      // An attribute of the new model behaves like the others.
      model.entities[0].attributes.removeAll { $0.name == "servings" }
      try store.apply(model)
      try store.writeNow { try $0.set(ids[1], ["weight": .double(2)]) }
      #expect(try await weight.next()?.value == .double(3.5))
      await #expect(throws: StoreError.self) { try await servings.next() }
    }
  }

  @Test func aFeedGivesEachOtherValue() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      var feed = store.values(of: FeedModel.byName.sum("servings")).makeAsyncIterator()
      #expect(try await feed.next()?.value == 0)
      let id = try store.writeNow { try $0.insert("Recipe", ["name": "a", "servings": 4]) }
      #expect(try await feed.next()?.value == 4)
      try store.writeNow { try $0.rename(id, to: "b") }
      try store.writeNow { try $0.set(id, ["servings": 7]) }
      let third = try await feed.next()
      #expect(third?.position == 4 && third?.value == 7)
      try store.writeNow { try $0.delete(id) }
      #expect(try await feed.next()?.value == 0)
    }
  }
}
