import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookModel
@testable import DaybookRuntime

/// Recorded events that no store would write, in the check and in commits from elsewhere.
@Suite(.hangLimit) struct RecordedEventCheckTests {
  private let directory: TemporaryDirectory
  private let store: Store
  private let cake: ObjectID
  private let tag: ObjectID
  private let model: ResolvedModel

  init() throws {
    directory = try TemporaryDirectory()
    store = try Store(at: directory.path("store"), model: RecordingModel.model)
    cake = try store.insertRecipes("cake")[0]
    tag = try store.write { try $0.insert("Tag", ["name": "sweet"]) }
    model = try store.read { $0.resolvedModel }
  }

  private func type(_ name: String) throws -> ResolvedEventType { model.events[try #require(model.event(named: name))] }

  private func fields(_ values: [(String, Value)]) throws -> [UInt8] {
    let type = try type("RecipeCooked")
    var bytes: [UInt8] = []
    for (name, value) in values {
      let number = try #require(type.attribute(named: name))
      bytes.appendField(type.attributes[number].tag, value)
    }
    return bytes
  }

  /// Returns the error of appending a commit with one recorded event.
  private func refusal(
    about id: ObjectID? = nil, entity: String = "Recipe", previous: Position? = 2, type: DaybookModel.Tag? = nil,
    _ fields: [UInt8]
  ) throws -> String? {
    let type = try type ?? self.type("RecipeCooked").tag
    var refusal: String?
    try store.writer.write { session in
      var writer = EventWriter(position: session.head.next, time: Timestamp(microseconds: 4_000_000_000_000_000))
      let tag = model.entities[try model.requireEntity(entity)].tag
      try writer.recorded(id ?? cake, entity: tag, previous: previous, type: type, fields: fields.rawSpan)
      let header = CommitHeader(
        position: session.head.next, previousHash: session.headHash, bodyDigest: Digest(hashing: writer.bytes.rawSpan),
        recordedAt: Timestamp(microseconds: 4_000_000_000_000_000), happenedAt: nil, commitID: nil, author: nil,
        message: nil, eventCount: 1, bodySize: writer.bytes.count, isModel: false)
      do {
        try session.append(checking: PendingCommit(header: header, body: writer.bytes), model: nil)
      } catch let error as CommitRefusal {
        refusal = error.error.message
      }
    }
    return refusal
  }

  @Test func aSoundEventIsTaken() throws {
    #expect(try refusal(fields([("servings", 6), ("pans", 1)])) == nil)
    store.close()
    #expect(try Store.verify(at: store.path).faults == [])
  }

  @Test func anUnsoundEventIsRefused() throws {
    let sound = try fields([("servings", 6), ("pans", 1)])
    let bought = try type("Bought").tag
    let cases: [(String, () throws -> String?)] = [
      ("has never existed", { try refusal(about: ObjectID(high: 9, low: 9), previous: nil, sound) }),
      ("about an object of another entity", { try refusal(about: tag, entity: "Tag", previous: 3, sound) }),
      ("touched", { try refusal(previous: 1, sound) }), ("touched", { try refusal(previous: nil, sound) }),
      ("with a tag that the model", { try refusal(type: DaybookModel.Tag(1), sound) }),
      ("with a tag that the model", { try refusal(type: DaybookModel.Tag(999), sound) }),
      ("about an object of another entity", { try refusal(type: bought, sound) }),
      ("lacks a value for RecipeCooked.servings", { try refusal(fields([("pans", 1)])) }),
      ("fields do not rise", { try refusal(fields([("servings", 6), ("servings", 6), ("pans", 1)])) }),
      ("fields do not rise", { try refusal(fields([("pans", 6), ("servings", 6)])) }),
      ("cannot have", { try refusal(fields([("servings", "6"), ("pans", 1)])) }),
      ("no event has", { try refusal(fields([("servings", 6), ("verdict", .null), ("pans", 1)])) }),
      ("does not have", { try refusal([0x11, 2]) }),
      ("malformed", { try refusal([0x11]) }),
    ]
    let head = try store.position
    for (fault, attempt) in cases {
      let message = try attempt()
      #expect(message?.contains(fault) == true, "\(fault): \(message ?? "taken")")
    }
    #expect(try store.position == head)
  }

  @Test func aRetiredEventTypeIsRefused() throws {
    try store.apply(FeedModel.model)
    #expect(
      try refusal(fields([("servings", 6), ("pans", 1)]))?.contains("which the model of its time does not have") == true
    )
  }

  /// The check reads the model of the commit's time, not the present one.
  @Test func eventsOfARemovedTypeAreNoFault() throws {
    try store.cook(cake)
    try store.apply(FeedModel.model)
    try store.write { try $0.rename(cake, to: "torte") }
    try store.apply(RecordingModel.model)
    try store.cook(cake)
    store.close()
    #expect(try Store.verify(at: store.path).faults == [])
  }

  @Test func aDamagedEventIsAFaultOfTheCheck() throws {
    try store.cook(cake)
    store.close()
    for change: @Sendable (inout [UInt8]) -> Void in [
      { $0[$0.count - 1] ^= 0x40 }, { $0.removeLast() },
      {
        $0[19] = 8
        $0[20] = 0x7f
      },
    ] {
      let copy = directory.path("copy\(Int.random(in: 0...(1 << 40)))")
      try FileManager.default.copyItem(atPath: store.path, toPath: copy)
      try RawStore.rewrite(copy) { commits in
        var body = commits[3].body
        change(&body)
        commits[3] = PendingCommit(header: commits[3].header, body: body)
      }
      #expect(try !Store.verify(at: copy).faults.isEmpty)
    }
  }
}
