import DaybookModel
import DaybookTestSupport
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime
@testable import DaybookTools

/// Exports have the bytes of each large value once, before the first commit that refers to it.
@Suite(.hangLimit) struct LargeValueExchangeTests {
  private static let model = Model(entities: [
    Entity(
      name: "Photo", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "image", type: .data, isOptional: true),
        Attribute(name: "settings", type: .codable, isOptional: true),
      ])
  ])

  private let directory: TemporaryDirectory
  private let store: Store

  private static func bytes(_ number: UInt64, _ size: Int) -> [UInt8] { LargeSample.bytes(number, size) }

  init() throws {
    directory = try TemporaryDirectory()
    store = try Store(at: directory.path("a"), model: Self.model)
    let photo = try store.write { try $0.insert("Photo", ["name": "a", "image": .data(Self.bytes(1, 2_500_000))]) }
    try store.write { tx in
      try tx.set(photo, ["image": .data(Self.bytes(2, 100_000))])
      try tx.insert("Photo", ["name": "b", "image": .data(Self.bytes(1, 2_500_000))])
    }
    let text = String(repeating: "x", count: 100_000)
    try store.write { tx in
      try tx.set(photo, ["settings": .data(Array(#"{"text":"\#(text)"}"#.utf8))])
      // JSON that looks like a reference is a value like any other.
      try tx.insert("Photo", ["name": "c", "settings": .data(Array(#"{"sha256":"00","size":70000}"#.utf8))])
      try tx.insert(
        "Photo",
        [
          "name": "d",
          "settings": .data(Array(#"{"sha256":"\#(String(repeating: "0", count: 64))","size":70000}"#.utf8)),
        ])
    }
    try store.write { try $0.delete(photo) }
  }

  @Test func anImportMakesTheSameStore() throws {
    let export = try Exporter(store).bytes()
    for line in lines(export) { #expect(line.count < 1_500_000) }
    #expect(lines(export).filter { $0.starts(with: #"{"largeValue""#.utf8) }.count == 3 + 1 + 1)
    try importEvents(export, to: directory.path("b"), pieceSize: 100_000)
    let copy = try Store(at: directory.path("b"))
    #expect(try copy.hashes() == store.hashes())
    #expect(try copy.stateHash() == store.stateHash())
    #expect(try Exporter(copy).bytes() == export)
    #expect(
      try copy.at(2).fetch(Request(entity: "Photo")).rows[0]["image"].data()
        == Self.bytes(1, 2_500_000))
    #expect(try copy.files.withJournal { try $0.format() } == .largeValues)
    try closeAndVerify(copy)
    // Again, the store has everything.
    #expect(try importEvents(export, to: directory.path("b"), pieceSize: 100_000).commits == 0)
  }

  @Test func aStoreThatGrowsIsExportedInParts() throws {
    let export = try Exporter(store).bytes()
    let early = lines(export).prefix { !$0.starts(with: #"{"position": 4"#.utf8) }
    try importEvents(Array(early.joined(separator: [0x0a])) + [0x0a], to: directory.path("b"), pieceSize: 100_000)
    var late: [UInt8] = []
    try Exporter(store).export(from: 4) { late += $0 }
    #expect(try importEvents(late, to: directory.path("b"), pieceSize: 100_000).commits == 2)
    let copy = try Store(at: directory.path("b"))
    #expect(try copy.stateHash() == store.stateHash())
    try closeAndVerify(copy)
  }

  /// Returns the error of importing changed lines, and checks that the commits before them stand.
  private func refusal(_ change: (inout [[UInt8]]) -> Void) throws -> StoreError? {
    var all = lines(try Exporter(store).bytes())
    change(&all)
    let path = directory.path("refused")
    defer { try? removeAll(path) }
    let error = #expect(throws: StoreError.self) {
      try importEvents(Array(all.joined(separator: [0x0a])) + [0x0a], to: path, pieceSize: 100_000)
    }
    let copy = try Store(at: path)
    #expect(try copy.position == 1)
    try closeAndVerify(copy)
    return error
  }

  private func removeAll(_ path: String) throws { try removeTree(path) }

  @Test func aValueThatIsMissingIsRefused() throws {
    let error = try refusal { lines in lines.removeAll { $0.starts(with: #"{"largeValue""#.utf8) } }
    #expect(error?.message.contains("which neither the store nor the input has") == true)
  }

  @Test func aPieceThatIsMissingIsRefused() throws {
    let error = try refusal { $0.remove(at: 2) }
    #expect(error?.message.contains("does not follow") == true)
    let last = try refusal { $0.remove(at: 3) }
    #expect(last?.message.contains("lacks pieces") == true)
  }

  @Test func aPieceThatWasChangedIsRefused() throws {
    let error = try refusal { lines in
      let place = lines[2].lastIndex(of: UInt8(ascii: "A"))!
      lines[2][place] = UInt8(ascii: "B")
    }
    #expect(error?.message.contains("another digest") == true)
  }

  @Test(arguments: [
    #"{"largeValue": {}}"#, #"{"largeValue": null}"#,
    #"{"largeValue": {"sha256": "0", "size": 1, "chunk": 0, "bytes": ""}}"#,
    #"{"largeValue":"#, #"{"largeValue": 1, "b": 2}"#,
    #"{"largeValue": {"sha256": "0000000000000000000000000000000000000000000000000000000000000000", "size": 9223372036854775807, "chunk": 0, "bytes": ""}}"#,
  ])
  func whatIsNoPieceIsRefused(line: String) throws {
    let error = try refusal { $0.insert(Array(line.utf8), at: 1) }
    #expect(error?.code == .damaged)
    #expect(error?.message.hasPrefix("Line 2") == true)
  }

  /// The hash is of the bytes, whichever form they are stored in.
  @Test func theStateHashDoesNotDependOnTheForm() throws {
    let id = ObjectID(high: 5, low: 5)
    let image = Self.bytes(1, 300_000)
    let whole = try Store(at: directory.path("whole"), model: Self.model)
    try whole.writer.write { session in
      let entity = session.model.entities[0]
      var fields: [UInt8] = []
      fields.appendField(entity.attributes[0].tag, "a")
      fields.appendField(entity.attributes[1].tag, .data(image))
      var writer = EventWriter(position: 2, time: session.lastRecordedAt)
      try writer.inserted(id, entity: entity.tag, previous: nil, fields: fields.rawSpan)
      let header = CommitHeader(
        position: 2, previousHash: session.headHash, bodyDigest: Digest(hashing: writer.bytes.rawSpan),
        recordedAt: session.lastRecordedAt, happenedAt: nil, commitID: nil, author: nil, message: nil, eventCount: 1,
        bodySize: writer.bytes.count, isModel: false)
      try session.append(PendingCommit(header: header, body: writer.bytes))
    }
    let reference = try Store(at: directory.path("reference"), model: Self.model)
    try reference.write { try $0.insert("Photo", ["name": "a", "image": .data(image)], id: id) }
    #expect(try whole.files.withJournal { try $0.format() } == .first)
    #expect(try whole.stateHash() == reference.stateHash())
    let other = try Store(at: directory.path("other"), model: Self.model)
    try other.write { try $0.insert("Photo", ["name": "a", "image": .data(Self.bytes(2, 300_000))], id: id) }
    #expect(try other.stateHash() != reference.stateHash())
    for store in [whole, reference, other] { try closeAndVerify(store) }
  }

  @Test func cloudEventsHaveTheBytesToo() throws {
    var bytes: [UInt8] = []
    try Exporter(store).export(as: .cloudEvents) { bytes += $0 }
    let events = try lines(bytes).map { try JSONValue(parsing: $0) }
    let pieces = events.filter { $0["type"]?.stringValue == "daybook.value" }
    #expect(pieces.count == 5)
    #expect(pieces.allSatisfy { $0["specversion"]?.stringValue == "1.0" && $0["data_base64"] != nil })
  }
}
