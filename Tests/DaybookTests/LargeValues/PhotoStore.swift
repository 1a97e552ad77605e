import DaybookModel
import DaybookTestSupport
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// A model with values that may be large, and helpers to see how they are stored.
enum PhotoStore {
  static let model = Model(
    entities: [
      Entity(
        name: "Photo", nameAttribute: "name",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "image", type: .data, isOptional: true),
          Attribute(name: "settings", type: .codable, isOptional: true),
          Attribute(name: "key", type: .data, isOptional: true),
        ], unique: [["key"]])
    ],
    events: [
      EventType(
        name: "PhotoPrinted", about: "Photo",
        attributes: [Attribute(name: "page", type: .data), Attribute(name: "note", type: .string, isOptional: true)])
    ])

  /// Returns bytes that depend on a number, of any size.
  static func bytes(_ number: UInt64, _ size: Int = 200_000) -> [UInt8] { LargeSample.bytes(number, size) }

  static func image(_ number: UInt64, _ size: Int = 200_000) -> Value { .data(bytes(number, size)) }

  /// Returns JSON of more than a size.
  static func settings(_ number: Int, _ size: Int = 100_000) -> Value {
    .data(Array(#"{"n":\#(number),"text":"\#(String(repeating: "x", count: size))"}"#.utf8))
  }
}

extension Store {
  /// The bytes of the rows in the journal's table of commits.
  func journalRowBytes() throws -> Int { try rowBytes(of: files.journalTables.journal) }

  /// The bytes of the pieces of large values; `nil` if the store has no table of them.
  func largeValueBytes() throws -> Int? {
    try LargeValueTable(files.journalEnvironment).openedTable().map { try rowBytes(of: $0) }
  }

  private func rowBytes(of table: Table) throws -> Int {
    try files.journalEnvironment.withSnapshot { snapshot in
      var cursor = try snapshot.makeCursor(in: table)
      var total = 0
      while try cursor.moveToNext() { total += cursor.value.byteCount }
      return total
    }
  }

  /// Appends the insertion of a photo as an earlier version wrote it: with all bytes in the event.
  @discardableResult
  func insertWhole(_ name: String, image: [UInt8]) throws -> ObjectID {
    let id = options.makeID()
    try writer.write { session in
      let entity = session.model.entities[try session.model.requireEntity("Photo")]
      var fields: [UInt8] = []
      fields.appendField(entity.attributes[try #require(entity.attribute(named: "name"))].tag, .string(name))
      fields.appendField(entity.attributes[try #require(entity.attribute(named: "image"))].tag, .data(image))
      var writer = EventWriter(position: session.head.next, time: session.lastRecordedAt)
      try writer.inserted(id, entity: entity.tag, previous: nil, fields: fields.rawSpan)
      let header = CommitHeader(
        position: session.head.next, previousHash: session.headHash,
        bodyDigest: Digest(hashing: writer.bytes.rawSpan), recordedAt: session.lastRecordedAt, happenedAt: nil,
        commitID: nil, author: nil, message: nil, eventCount: 1, bodySize: writer.bytes.count, isModel: false)
      try session.append(PendingCommit(header: header, body: writer.bytes))
    }
    return id
  }

  var storedFormat: StoreFormat? { get throws { try files.withJournal { try $0.format() } } }
}
