import Daybook
import DaybookTestSupport
import Testing

@Suite struct StandingValueTests {
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
      #expect(try store.value(.count, of: request).value == 4)
      #expect(try store.value(.sum("servings"), of: request).value == 12)
      #expect(try store.value(.minimum("servings"), of: request).value == 2)
      #expect(try store.value(.maximum("name"), of: request).value == "d")
      #expect(try store.value(.average("servings"), of: request).value == .double(4))
      #expect(try store.value(.sum("weight"), of: request).value == .double(2.75))
      var window = request
      (window.offset, window.limit) = (1, 2)
      #expect(try store.value(.sum("servings"), of: window).value == 8)
      window.filter = try Filter(parsing: "servings > 100")
      #expect(try store.value(.sum("servings"), of: window).value == 0)
      #expect(try store.value(.minimum("servings"), of: window).value == .null)
      #expect(throws: StoreError.self) { try store.value(.sum("name"), of: request) }
      #expect(throws: StoreError.self) { try store.value(.minimum("tags.name"), of: request) }
    }
  }

  @Test func aFeedGivesEachOtherValue() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      var feed = store.values(.sum("servings"), of: FeedModel.byName).makeAsyncIterator()
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
