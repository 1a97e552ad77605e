import Daybook
import DaybookTestSupport
import DaybookTools
import Testing

@Suite(.hangLimit) struct ResolveTests {
  private let directory: TemporaryDirectory
  private let store: Store
  private let ids = [
    "0190163d-8694-739b-aea5-966c26f8ad91", "0190163d-8694-739b-aea5-966c26f8ad92",
    "abcdef01-0000-4000-8000-000000000000",
  ].map { ObjectID($0)! }

  init() throws {
    directory = try TemporaryDirectory()
    let model = Model(entities: [Entity(name: "Note"), Entity(name: "Page")])
    store = try Store(at: directory.path("notes"), model: model)
    try store.write { tx in
      try tx.insert("Note", id: ids[0])
      try tx.insert("Page", id: ids[1])
      try tx.insert("Page", id: ids[2])
    }
  }

  private func resolve(_ part: String, includesDeleted: Bool = false) throws -> ObjectID {
    try store.read { try $0.resolve(part, includesDeleted: includesDeleted) }
  }

  @Test func anyUniquePartWillDo() throws {
    #expect(try resolve("26f8ad91") == ids[0])
    #expect(try resolve("AD92") == ids[1])
    #expect(try resolve("-4000-8") == ids[2])
    #expect(try resolve("abcdef010000400080") == ids[2], "without dashes")
    #expect(try resolve("ABCDEF01-0000-4000-8000-000000000000") == ids[2])
    let absent = ObjectID("00000000-0000-4000-8000-000000000000")!
    #expect(try resolve(absent.description) == absent, "a whole identity is taken as it is")
  }

  @Test func partsOfSeveralOrNoneAreRefused() throws {
    let error = try #require(throws: StoreError.self) { try resolve("26f8") }
    #expect(error.code == .ambiguous)
    #expect(error.message.contains("\(ids[0]) (Note)") && error.message.contains("\(ids[1]) (Page)"))
    for part in ["", "xyz", "99999999", "$cake"] {
      #expect(try #require(throws: StoreError.self) { try resolve(part) }.code == .notFound)
    }
  }

  @Test func deletedObjectsCountOnRequest() throws {
    try store.write { tx in
      try tx.delete(ids[1])
      #expect(try tx.resolve("26f8ad9") == ids[0])
    }
    #expect(try resolve("26f8ad9") == ids[0])
    #expect(try resolve("ad92", includesDeleted: true) == ids[1])
    #expect(throws: StoreError.self) { try resolve("26f8ad9", includesDeleted: true) }
  }

  @Test func aWriteFindsWhatItInserted() throws {
    let id = ObjectID("11111111-2222-4333-8444-555555555555")!
    try store.write { tx in
      try tx.insert("Note", id: id)
      #expect(try tx.resolve("55555555") == id)
    }
  }

  @Test func timesStandForTheLastCommitBeforeThem() throws {
    let head = try store.position
    #expect(try store.read { try $0.position(recordedBy: Timestamp(microseconds: .min)) } == 0)
    #expect(try store.read { try $0.position(recordedBy: Timestamp(microseconds: .max)) } == head)
    #expect(throws: StoreError.self) { try store.read { try $0.requirePosition(head.next) } }
  }
}
