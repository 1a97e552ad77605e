import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The verbs for all objects that match a request.
@Suite(.hangLimit) struct MatchingTests {
  private let directory: TemporaryDirectory
  private let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try Store(at: directory.path("store"), model: FeedModel.model, options: .knowing())
    try store.insertRecipes("cake", "pie", "tart")
  }

  private func request(_ filter: String? = nil) throws -> Request<StoredObject> {
    Request(entity: "Recipe", filter: try filter.map { try Filter(parsing: $0) })
  }

  @Test func aWriteSeesItsOwnChanges() throws {
    let counts = try store.write { tx in
      try tx.insert("Recipe", ["name": "bread"])
      let before = try tx.count(request())
      let deleted = try tx.delete(where: request("name > 'c' AND name < 'q'"))
      return [before, deleted, try tx.count(request())]
    }
    #expect(counts == [4, 2, 2])
    #expect(try store.count(request()) == 2)
    #expect(try store.at(2).count(request()) == 3)
  }

  @Test func aLimitCounts() throws {
    var first = FeedModel.byName
    first.limit = 2
    let deleted = try store.write { try $0.delete(where: first) }
    #expect(deleted == 2)
    #expect(try store.fetch(FeedModel.byName).rows.map { $0["name"] } == ["tart"])
  }

  @Test func aRefusedVerbMayBeCaught() throws {
    try store.write { tx in
      #expect(throws: StoreError.self) { try tx.set(where: request(), ["nothing": 1]) }
      #expect(throws: StoreError.self) { try tx.count(Request(entity: "Nothing")) }
      try tx.set(where: request("name == 'pie'"), ["name": "quiche"])
    }
    #expect(try store.fetch(FeedModel.byName).rows.map { $0["name"] } == ["cake", "quiche", "tart"])
  }
}
