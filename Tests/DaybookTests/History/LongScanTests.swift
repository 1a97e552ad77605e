import DaybookEngine
import DaybookModel
import DaybookTestSupport
import LMDB
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Scans of journals that are long enough for a second thread to check the commits ahead.
@Suite(.hangLimit) struct LongScanTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let commitCount = 400

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("s")
    let model = Model(entities: [Entity(name: "Note", attributes: [Attribute(name: "text", type: .string)])])
    let store = try Store(at: path, model: model)
    defer { store.close() }
    try store.batch { batch in
      for number in 2...commitCount {
        // One commit of several chunks is among the commits of one.
        let size = number == 250 ? 5 << 20 : 20_000
        try batch.commit { try $0.insert("Note", ["text": .string(String(repeating: "x", count: size))]) }
      }
    }
  }

  private func positions(from first: Position = .empty, until end: Position? = nil) throws -> [UInt64] {
    let store = try Store(at: path)
    defer { store.close() }
    var positions: [UInt64] = []
    try? store.read { reader in
      try reader.forEachEvent(from: first) { event in
        positions.append(event.position.number)
        return event.position != end
      }
    }
    return positions
  }

  private func damage(_ position: Position) throws {
    try RawStore.change(path, "journal") { transaction in
      let table = try #require(try transaction.openTable("journal", create: false))
      let key = JournalKey(position: position, chunk: 0).bytes
      let value = try transaction.snapshot.unsafeValue(for: key.rawSpan, in: table)
      var bytes = [UInt8](try #require(value).unsafeSpan)
      bytes[bytes.count / 2] ^= 1
      try transaction.put(key, bytes, in: table)
    }
  }

  @Test func allEventsComeInOrder() throws {
    #expect(try positions() == Array(2...UInt64(commitCount)))
    #expect(try positions(from: 37) == Array(37...UInt64(commitCount)))
  }

  @Test(arguments: [2, 100, 249, 250, 251, 399]) func aScanMayEndAnywhere(end: UInt64) throws {
    #expect(try positions(until: Position(end)) == Array(2...end))
  }

  /// The events of the commits before a damaged one are delivered, however far ahead the commits are checked.
  @Test(arguments: [3, 120, 240, 250, 251, 320, 400]) func aScanEndsAtADamagedCommit(number: UInt64) throws {
    try damage(Position(number))
    #expect(try positions() == Array(2..<number))
    let store = try Store(at: path)
    defer { store.close() }
    let error = #expect(throws: StoreError.self) {
      try store.read { try $0.forEachEvent { _ in true } }
    }
    #expect(error?.code == .damaged)
    #expect(error?.description.contains("\(number)") == true)
  }

  @Test func aMissingCommitIsReportedAfterTheCommitsBeforeIt() throws {
    try RawStore.change(path, "journal") { transaction in
      let table = try #require(try transaction.openTable("journal", create: false))
      _ = try transaction.delete(JournalKey(position: 330, chunk: 0).bytes.rawSpan, in: table)
    }
    #expect(try positions() == Array(2..<330))
  }
}
