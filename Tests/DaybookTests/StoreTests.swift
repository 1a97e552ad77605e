import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct StoreTests {
  private let model = Model(entities: [
    Entity(
      name: "Note", nameAttribute: "title", attributes: [Attribute(name: "title", type: .string)],
      unique: [["title"]])
  ])

  @Test func whatWasWrittenIsThereAfterReopening() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("notes")
    let id: ObjectID
    do {
      let store = try Store(at: path, model: model)
      id = try store.write { try $0.insert("Note", ["title": "first"]) }
      store.close()
    }
    let store = try Store(at: path)
    #expect(try store.get(id)?["title"] == "first")
    #expect(try store.position == 2)
  }

  @Test func aThrowLeavesNoTrace() throws {
    struct Stop: Error {}
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("notes"), model: model)
    #expect(throws: Stop.self) {
      try store.write { tx in
        try tx.insert("Note", ["title": "gone"])
        throw Stop()
      }
    }
    #expect(try store.position == 1)
    #expect(try store.fetch(Request(entity: "Note")).rows.isEmpty)
  }

  @Test func twoObjectsMaySwapUniqueNamesInOneCommit() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("notes"), model: model)
    let (a, b) = try store.write { tx in
      (try tx.insert("Note", ["title": "a"]), try tx.insert("Note", ["title": "b"]))
    }
    try store.write { tx in
      try tx.rename(a, to: "b")
      try tx.rename(b, to: "a")
    }
    #expect(try store.get(a)?["title"] == "b")
    #expect(try store.get(b)?["title"] == "a")
  }
}
