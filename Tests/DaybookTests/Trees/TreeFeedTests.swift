import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Live differences of trees.
@Suite(.hangLimit) struct TreeFeedTests {
  private let directory: TemporaryDirectory
  private let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try Store(at: directory.path("store"), model: FolderModel.model(acyclic: true))
  }

  @Test func aFeedDeliversEachDifferenceOnce() async throws {
    let ids = (0..<6).map(FolderModel.id)
    var forest = Forest<ObjectID>()
    var feed = store.changes(ofTree: "Folder.children").makeAsyncIterator()
    func follow() async throws {
      let change = try #require(try await feed.next())
      forest = try forest.applying(change.difference)
      let present = try store.read { try $0.treeIDs(ofTree: "Folder.children") }
      #expect(forest == present)
      #expect(change.to == (try store.read { $0.position }))
    }
    try store.writeNow { tx in
      for id in ids { try tx.insert("Folder", ["name": .string("\(id.low)")], id: id) }
    }
    try await follow()
    try store.writeNow { try $0.move(ids[1], into: ids[0]) }
    try await follow()
    // Commits without effect on the tree count, and several commits are one difference.
    try store.writeNow { try $0.set(ids[1], ["size": .null]) }
    try store.writeNow { try $0.move(ids[0], into: ids[5]) }
    try store.writeNow { try $0.move(ids[4], into: ids[1]) }
    try await follow()
    try store.writeNow { try $0.delete(ids[5]) }
    try await follow()
    #expect(forest.nodes.map(\.id) == [ids[2], ids[3]])
    let last = try store.read { $0.position }
    #expect(feed.position == last)
  }

  @Test func aFeedResumesFromAPosition() async throws {
    let ids = (0..<3).map(FolderModel.id)
    try store.writeNow { tx in for id in ids { try tx.insert("Folder", ["name": "x"], id: id) } }
    try store.writeNow { try $0.move(ids[2], into: ids[0]) }
    try store.writeNow { try $0.rename(ids[1], to: "a") }
    var feed = store.changes(ofTree: "children", root: ids[0], depth: 1, from: 2).makeAsyncIterator()
    let change = try #require(try await feed.next())
    #expect(change.from == 2 && change.to == 4)
    #expect(change.difference.nodes.map(\.word) == ["insert"])
    #expect(change.objects[ids[2]]?["name"] == "x")
  }

  @Test func aModelChangeIsAReset() async throws {
    var feed = store.changes(ofTree: "children", from: 1).makeAsyncIterator()
    var model = FolderModel.model(acyclic: true)
    model.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
    try store.apply(model)
    let change = try #require(try await feed.next())
    #expect(change.isReset && change.to == 2 && change.difference.isEmpty)
  }

  @Test func aBadFeedThrows() async throws {
    var feed = store.changes(ofTree: "nothing").makeAsyncIterator()
    await #expect(throws: StoreError.self) { try await feed.next() }
    var beyond = store.changes(ofTree: "children", from: 9).makeAsyncIterator()
    await #expect(throws: StoreError.self) { try await beyond.next() }
  }
}
