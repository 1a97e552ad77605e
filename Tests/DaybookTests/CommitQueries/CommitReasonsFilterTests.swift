import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Questions about why commits were written, and about named events.
@Suite(.hangLimit) struct CommitReasonsFilterTests {
  private func positions(_ store: Store, _ filter: CommitFilter) throws -> [Position] {
    var log = try store.log(where: filter)
    var positions: [Position] = []
    while let commit = try log.next() { positions.append(commit.position) }
    return positions
  }

  private func filter(_ condition: String) throws -> CommitFilter {
    CommitFilter(condition: try Filter(parsing: condition))
  }

  @Test func commitsAreFoundByTheirReasons() throws {
    try withTemporaryStore(FeedModel.model) { store in
      for number in 0..<150 {
        var info = CommitInfo(
          metadata: ["ticket": .integer(Int64(number)), "team": number % 2 == 0 ? "red" : "blue"],
          causedBy: number > 100 ? 50 : nil, correlation: number % 60 == 0 ? "flow" : nil)
        if number == 48 { info.commitID = ObjectID(high: 1, low: 1) }
        try store.commit(info) { _ = try $0.insert("Tag", ["name": .string("\(number)")]) }
      }
      #expect(try positions(store, CommitFilter(correlation: "flow")) == [2, 62, 122])
      #expect(try positions(store, CommitFilter(correlation: "flo")).isEmpty)
      #expect(try positions(store, CommitFilter(causation: 50)).count == 49)
      #expect(try positions(store, CommitFilter(causation: .commitID(ObjectID(high: 1, low: 1)))).count == 49)
      #expect(throws: StoreError.self) { try positions(store, CommitFilter(causation: 152)) }
      #expect(throws: StoreError.self) {
        try positions(store, CommitFilter(causation: .commitID(ObjectID(high: 2, low: 1))))
      }
      #expect(try positions(store, filter("metadata.ticket == 7")) == [9])
      #expect(try positions(store, filter("metadata.ticket < 4 AND metadata.team == \"red\"")) == [2, 4])
      // The commit of the model has no metadata.
      #expect(try positions(store, filter("metadata.team == nil")) == [1])
      #expect(try positions(store, filter("metadata.team == 3")).isEmpty)
      #expect(try positions(store, filter("metadata.ticket == 3 AND event.name == \"3\"")) == [5])
      #expect(try positions(store, filter("metadata.ticket == 3 AND event.name == \"4\"")).isEmpty)
      try store.write(CommitInfo(metadata: ["ticket": "A-7"])) { _ = try $0.insert("Tag", ["name": "text"]) }
      #expect(try positions(store, filter("metadata.ticket IN {7, \"A-7\"}")) == [9, 152])
    }
  }

  @Test func namedEventsAreFoundByNameAndValues() throws {
    try withTemporaryStore(RecordingModel.model) { store in
      let cake = try store.write { try $0.insert("Recipe", ["name": "Cake"]) }
      for servings in 1...70 {
        try store.write { try $0.record("RecipeCooked", about: cake, ["servings": .integer(Int64(servings))]) }
      }
      try store.write { try $0.rename(cake, to: "Tart") }
      #expect(try positions(store, CommitFilter(event: "RecipeCooked")).count == 70)
      #expect(try positions(store, CommitFilter(kind: .recorded)).count == 70)
      #expect(try positions(store, CommitFilter(entity: "Recipe")).count == 72)
      #expect(try positions(store, filter("event.servings == 65")) == [67])
      #expect(try positions(store, CommitFilter(kind: .renamed, event: "RecipeCooked")).isEmpty)
      #expect(throws: StoreError.self) { try positions(store, CommitFilter(event: "Nothing")) }
    }
  }

  @Test func conditionsOnEventsHoldForOneAndTheSameEvent() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.write { tx in
        _ = try tx.insert("Tag", ["name": "a"])
        _ = try tx.insert("Recipe", ["name": "b"])
      }
      var filter = CommitFilter(entity: "Tag", condition: try Filter(parsing: "event.name == \"b\""))
      #expect(try positions(store, filter).isEmpty)
      filter.entity = "Recipe"
      #expect(try positions(store, filter) == [2])
      #expect(try positions(store, self.filter("event.name == \"a\" AND event.name == \"b\"")).isEmpty)
    }
  }
}
