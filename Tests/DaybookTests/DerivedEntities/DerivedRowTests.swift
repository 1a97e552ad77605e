import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// What a projection reads of a commit, and does with its rows while it applies it.
@Suite(.hangLimit) struct DerivedRowTests {
  /// Runs code as a projection that applies a commit with one recipe, and compares the numbers of the rows.
  private func apply(making numbers: [String: Int], _ body: @escaping ClosureProjection.Body) throws {
    for mode in [ProjectionMode.catchUp, .inline] {
      let projection = ClosureProjection(mode: mode) { commit, rows in
        if !commit.isModel { try body(commit, rows) }
      }
      try withTemporaryStore(FeedModel.model, options: .knowing(projection)) { store in
        try store.insertRecipes("a")
        try store.projection("mine").catchUp()
        #expect(try store.numbers() == numbers)
      }
    }
  }

  @Test func `rows are read back at once`() throws {
    try apply(making: ["a": 0, "c": 5]) { _, rows in
      let none = try rows.get("mineRow", key: ["a"])
      #expect(none == nil)
      try rows.update("mineRow", key: ["a"]) { row in
        let defaults = [row["name"], row["number"], row["data"]]
        #expect(defaults == ["a", 0, .null])
        row["number"] = 3
        row["data"] = .data([1])
      }
      let made = try rows.get("mineRow", key: ["a"])
      #expect(made?["number"] == 3 && made?["data"] == .data([1]))
      // Another row takes its place: what is not given has its default.
      try rows.put("mineRow", key: ["a"], ["data": .data([])])
      let replaced = try rows.get("mineRow", key: ["a"])
      #expect(replaced?.id == made?.id && replaced?["number"] == 0 && replaced?["data"] == .data([]))
      try rows.add(to: "b")
      let present = try rows.read { try $0.count(Request<StoredObject>(entity: "mineRow").fetch) }
      #expect(present == 2)
      let deleted = [try rows.delete("mineRow", key: ["b"]), try rows.delete("mineRow", key: ["b"])]
      #expect(deleted == [true, false])
      let gone = try rows.get("mineRow", key: ["b"])
      #expect(gone == nil)
      try rows.add(-2, to: "c")
      try rows.delete("mineRow", key: ["c"])
      try rows.add(5, to: "c")
    }
  }

  @Test func `what cannot be a row is refused, and changes nothing`() throws {
    try apply(making: [String(repeating: "z", count: 390): 1]) { _, rows in
      let calls: [(StoreError.Code, (borrowing DerivedRows) throws -> Void)] = [
        (.notFound, { try $0.put("Nothing", key: ["a"]) }),
        (.notFound, { _ = try $0.get("Recipe", key: ["a"]) }),
        (.badValue, { try $0.put("mineRow", key: []) }),
        (.badValue, { try $0.put("mineRow", key: ["a", "b"]) }),
        (.badValue, { try $0.put("mineRow", key: [1]) }),
        (.tooLarge, { try $0.put("mineRow", key: [.string(String(repeating: "a", count: 401))]) }),
        (.tooLarge, { try $0.put("mineRow", key: ["a"], ["data": .data(Array(repeating: 1, count: (16 << 20) + 1))]) }),
        (.badValue, { try $0.put("mineRow", key: ["a"], ["number": "one"]) }),
        (.badValue, { try $0.put("mineRow", key: ["a"], ["name": "b"]) }),
        (.badValue, { try $0.update("mineRow", key: ["a"]) { $0["number"] = .integer(try $0.integer("name")) } }),
      ]
      for (code, call) in calls {
        do {
          try call(rows)
          Issue.record("It was not refused with \(code).")
        } catch let error as StoreError {
          #expect(error.code == code)
        }
      }
      do {
        try rows.put("mineRow", key: ["a"], ["nothing": 1])
        Issue.record("It has no such attribute.")
      } catch is StoreError {}
      try rows.add(to: String(repeating: "z", count: 390))
    }
  }

  @Test func `events of a commit have their names`() throws {
    try apply(making: ["events": 1]) { commit, rows in
      let (events, inserted) = (try commit.events(), commit.inserted("Recipe"))
      #expect(events.map(\.entity) == ["Recipe"] && events.map(\.kind) == [.inserted])
      #expect(events.map(\.object) == inserted)
      #expect(commit.position == 2 && commit.eventCount == 1)
      try rows.add(events.count, to: "events")
    }
  }
}
