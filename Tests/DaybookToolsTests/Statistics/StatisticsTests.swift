import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime
@testable import DaybookTools

@Suite(.hangLimit) struct StatisticsTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func store(_ name: String, _ model: Model = StatisticsTests.model) throws -> Store {
    try Store(at: directory.path(name), model: model)
  }

  private static let model = Model(entities: [
    Entity(
      name: "List",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "n", type: nil, derivation: .count(relationship: "items")),
      ],
      relationships: [Relationship(name: "items", target: "Item", inverse: "list", isMany: true, isOrdered: true)]),
    Entity(
      name: "Item",
      attributes: [Attribute(name: "text", type: .string), Attribute(name: "note", type: .string, isOptional: true)],
      relationships: [
        Relationship(name: "list", target: "List", inverse: "items", isOptional: true),
        Relationship(name: "tags", target: "Tag", inverse: "items", isMany: true),
      ]),
    Entity(
      name: "Tag", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "items", target: "Item", inverse: "tags", isMany: true)]),
  ])

  private let list = ObjectID(high: 1, low: 1)
  private let a = ObjectID(high: 1, low: 2)
  private let b = ObjectID(high: 1, low: 3)
  private let tag = ObjectID(high: 0, low: 4)

  private func fill(_ store: Store) throws {
    try store.write { tx in
      try tx.insert("List", ["name": "one"], id: list)
      try tx.insert("Item", ["text": "a"], id: a)
      try tx.insert("Item", ["text": "b"], id: b)
      try tx.insert("Tag", ["name": "t"], id: tag)
      try tx.relate(list, "items", to: a)
      try tx.relate(list, "items", to: b)
      try tx.relate(a, "tags", to: tag)
    }
  }

  @Test func figuresCountWhatIsThere() throws {
    let store = try store("s")
    try fill(store)
    try store.write { try $0.delete(b) }
    let statistics = try store.statistics()
    #expect(statistics.head == 3)
    #expect(statistics.events == 9)
    #expect(statistics.objects.map(\.entity) == ["List", "Item", "Tag"])
    #expect(statistics.objects.map(\.count) == [1, 1, 1])
    #expect(statistics.readers == 0)
    #expect(statistics.oldestReaderLag == 0)
    #expect(statistics.oldestReader == nil)
    #expect(statistics.journal.usedInBytes > 0 && statistics.projections.fileInBytes > 0)
    #expect(statistics.projectionFigures.map(\.name) == ["objects", "links", "views", "unique", "counts"])
    #expect(statistics.projectionFigures.allSatisfy { $0.checkpoint == 3 && $0.lag == 0 })
    for key in [
      "head", "hash", "stateHash", "objects", "events", "largeValues", "bytes", "readers", "oldestReaderLag",
      "oldestReader",
      "projections",
    ] { #expect(statistics.json[key] != nil) }
  }

  @Test func largeValuesAreCountedOnce() throws {
    let model = Model(entities: [
      Entity(name: "Photo", attributes: [Attribute(name: "image", type: .data, isOptional: true)])
    ])
    let store = try store("photos", model)
    #expect(try store.statistics().largeValues == Statistics.LargeValues(count: 0, sizeInBytes: 0))
    let images = [65_536, 65_537, 2_500_000].map { Value.data(LargeSample.bytes(UInt64($0), $0)) }
    let photos = try store.write { tx in
      try (images + images).map { try tx.insert("Photo", ["image": $0]) }
    }
    let expected = Statistics.LargeValues(count: 2, sizeInBytes: 2_565_537)
    #expect(try store.statistics().largeValues == expected)
    // The journal keeps what no object has any more.
    try store.write { tx in for photo in photos { try tx.delete(photo) } }
    #expect(try store.statistics().largeValues == expected)
    #expect(try store.statistics().json["largeValues"]?.text == #"{"count": 2, "bytes": 2565537}"#)
    try closeAndVerify(store)
  }

  @Test func theOldestReaderHasAnAgeAndAPosition() throws {
    let time = Locked(Timestamp(microseconds: 1_800_000_000_000_000))
    var options = StoreOptions()
    options.readerCheckInterval = .zero
    options.clock = { time.withLock { $0 } }
    let store = try Store(at: directory.path("s"), model: StatisticsTests.model, options: options)
    try fill(store)
    try store.files.withJournal { _ in
      time.withLock { $0 = Timestamp(microseconds: $0.microseconds + 1_000_000) }
      // The check before this commit sees the reader.
      try store.write { try $0.set(a, ["text": "c"]) }
      time.withLock { $0 = Timestamp(microseconds: $0.microseconds + 2_500_000) }
      try store.write { try $0.set(a, ["text": "d"]) }
      let oldest = try #require(try store.statistics().oldestReader)
      #expect(oldest.processID == Int(ProcessInfo.processInfo.processIdentifier))
      #expect(oldest.ageInSeconds == 2.5)
      // The commit was recorded in the same microsecond as the check.
      #expect(oldest.position == 3)
      #expect(try store.statistics().json["oldestReader"]?["seconds"] == .number(2.5))
    }
    #expect(try store.statistics().oldestReader == nil)
    store.close()
  }

  @Test func theStateHashIsTheWaySpecified() throws {
    let store = try store("s")
    try fill(store)
    var bytes = Array("Daybook state 1\n".utf8)
    func object(_ id: ObjectID, _ entity: String) {
      bytes.append(id)
      bytes.appendText(entity)
    }
    func text(_ name: String, _ value: String) {
      bytes.append(1)
      bytes.appendText(name)
      bytes.append(6)
      bytes.appendText(value)
    }
    func links(_ name: String, _ targets: [ObjectID]) {
      bytes.append(2)
      bytes.appendText(name)
      bytes.append(UInt8(targets.count))
      for target in targets { bytes.append(target) }
    }
    object(tag, "Tag")
    text("name", "t")
    bytes.append(0)
    object(list, "List")
    text("name", "one")
    links("items", [a, b])
    bytes.append(0)
    object(a, "Item")
    text("text", "a")
    links("tags", [tag])
    bytes.append(0)
    object(b, "Item")
    text("text", "b")
    bytes.append(0)
    #expect(try store.stateHash() == Digest(hashing: bytes.rawSpan))
  }

  @Test func aLinkOverARelationshipThatIsItsOwnInverseCountsAtTheLesserObject() throws {
    let model = Model(entities: [
      Entity(
        name: "Person",
        relationships: [
          Relationship(name: "friends", target: "Person", inverse: "friends", isMany: true),
          Relationship(name: "partner", target: "Person", inverse: "partner", isOptional: true),
        ])
    ])
    let store = try store("people", model)
    try store.write { tx in
      for id in [list, a, b] { try tx.insert("Person", id: id) }
      try tx.relate(b, "friends", to: a)
      try tx.relate(a, "friends", to: list)
      try tx.relate(a, "friends", to: a)
      try tx.relate(b, "partner", to: list)
    }
    var bytes = Array("Daybook state 1\n".utf8)
    let objects: [(id: ObjectID, links: [(name: String, targets: [ObjectID])])] = [
      (list, [("friends", [a]), ("partner", [b])]), (a, [("friends", [a, b])]), (b, []),
    ]
    for (id, links) in objects {
      bytes.append(id)
      bytes.appendText("Person")
      for (name, targets) in links {
        bytes.append(2)
        bytes.appendText(name)
        bytes.append(UInt8(targets.count))
        for target in targets { bytes.append(target) }
      }
      bytes.append(0)
    }
    #expect(try store.stateHash() == Digest(hashing: bytes.rawSpan))
  }

  @Test func theStateHashForgetsTheWay() throws {
    let (one, other) = (try store("a"), try store("b"))
    try fill(one)
    try other.write { try $0.insert("Tag", ["name": "other"], id: tag) }
    try other.write { try $0.delete(tag) }
    try fill(other)
    try other.write { try $0.set(a, ["note": "x"]) }
    #expect(try one.stateHash() != other.stateHash())
    try other.write { try $0.set(a, ["note": nil]) }
    #expect(try one.stateHash() == other.stateHash())
    try other.write { try $0.relate(list, "items", to: b, at: .before(a)) }
    #expect(try one.stateHash() != other.stateHash())
    try other.write { try $0.relate(list, "items", to: a, at: .before(b)) }
    #expect(try one.stateHash() == other.stateHash())
    try other.write { try $0.unrelate(a, "tags", from: tag) }
    #expect(try one.stateHash() != other.stateHash())
  }

  @Test func theStateHashDoesNotDependOnTagsAndRemovedThings() throws {
    let one = try store("a")
    try fill(one)
    var larger = StatisticsTests.model
    larger.entities.reverse()
    larger.entities[1].attributes.append(Attribute(name: "gone", type: .string, isOptional: true))
    let other = try store("b", larger)
    try fill(other)
    try other.write { try $0.set(a, ["gone": "x"]) }
    #expect(try one.stateHash() != other.stateHash())
    try other.writer.write { session in
      _ = try session.commit(model: session.model.evolved(to: StatisticsTests.model).model, CommitInfo())
    }
    #expect(try one.stateHash() == other.stateHash())
  }

  @Test func aDefaultThatStandsForAValueCounts() throws {
    let (one, other) = (try store("a"), try store("b"))
    var larger = StatisticsTests.model
    larger.entities[2].attributes.append(Attribute(name: "weight", type: .integer, defaultValue: 5))
    func change(_ store: Store) throws {
      try store.writer.write { _ = try $0.commit(model: $0.model.evolved(to: larger).model, CommitInfo()) }
    }
    try fill(one)
    try change(one)
    try change(other)
    try fill(other)
    #expect(try one.stateHash() == other.stateHash())
  }
}
