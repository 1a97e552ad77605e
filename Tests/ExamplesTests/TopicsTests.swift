import ApplicationSupport
import DaybookMacros
import DaybookTestSupport
import Testing

@testable import Topics

/// The topics: by last change, in batches, and untouched by a new name of their category.
@Suite(.hangLimit) struct TopicsTests {
  private func withTopics(_ body: (Store, Record<Topics.Category>) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let store = try Topics.application().openStore(in: directory.path, options: TestJournal.options())
    try body(store, try #require(try store.fetch(Topics.Category.where { $0.name == "Swift" }).rows.first))
    try closeAndVerify(store)
  }

  @Test func anEditedTopicRisesToTheTop() throws {
    try withTopics { store, swift in
      let list = try store.liveResults(of: topics(of: swift.id))
      #expect(list.request.filter != nil)
      let last = try list.row(at: RowPath(section: 0, row: 44))
      try store.write { try $0.set(last.id, \.contents, "Something, at last.") }
      let change = try #require(try list.update())
      #expect(
        change.difference.rows
          == [.move(last.id, from: RowPath(section: 0, row: 44), to: RowPath(section: 0, row: 0))])
    }
  }

  @Test func batchesHaveTwentyRowsAndNoneTwice() throws {
    try withTopics { store, swift in
      let list = try store.liveResults(of: topics(of: swift.id))
      let batches = try [0..<20, 20..<40, 40..<60, 60..<80].map { try list.rows(in: $0).map(\.id) }
      #expect(batches.map(\.count) == [20, 20, 5, 0])
      #expect(Set(batches.joined()).count == 45)
    }
  }

  @Test func anotherNameOfTheCategoryKeepsTheList() throws {
    try withTopics { store, swift in
      let list = try store.liveResults(of: topics(of: swift.id))
      try store.write { try $0.rename(swift.id, to: "Swift 6") }
      #expect(try list.update() == nil)
      #expect(try list.count == 45)
    }
  }

  @Test func aDeletedCategoryTakesItsTopics() throws {
    try withTopics { store, swift in
      #expect(swift.topicCount == 45)
      try store.write { try $0.delete(swift.id) }
      #expect(try store.count(Topic.all) == 2)
    }
  }

  @Test func aTakenNameOfACategoryIsRefused() throws {
    try withTopics { store, swift in
      #expect { try store.write { try $0.rename(swift.id, to: "Databases") } } throws: {
        if case .unique = ($0 as? StoreError)?.failure?.rule { true } else { false }
      }
    }
  }
}
