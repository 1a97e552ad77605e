import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct CopyingTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }
  private var file: String { directory.path("backup") }

  init() throws {
    directory = try TemporaryDirectory()
    try BusyStore.make(at: directory.path("store"))
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  /// Returns the names in the test's directory, including temporary ones.
  private func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  private func rows(_ path: String) throws -> [String] {
    let store = try Store(at: path)
    defer { store.close() }
    return try store.fetch(Request(entity: "Recipe")).rows.map { "\($0)" }
  }

  @Test func aRestoredBackupIsTheSameStore() throws {
    let copy = try Store.backUp(at: path, to: file)
    #expect(try mode(file) == 0o600)
    #expect(try entries() == ["backup", "store"])
    #expect(try Store.verify(at: file).faults == [])
    let restored = directory.path("restored")
    let again = try Store.restore(file, to: restored)
    #expect(again.head == copy.head && again.hash == copy.hash && again.faults == [] && copy.faults == [])
    #expect(again.journalSizeInBytes == copy.journalSizeInBytes && copy.journalSizeInBytes > 0)
    #expect(copy.hash != nil && copy.notes.isEmpty)
    #expect(try mode(restored) == 0o700)
    #expect(try rows(restored) == rows(path))
    let (first, second) = (try Store(at: path), try Store(at: restored))
    #expect(first.id == second.id)
    #expect(try first.position == copy.head)
    #expect(try second.write { try $0.insert("Kind", ["name": "goes on"]) } != .zero)
    #expect(try second.verify().faults == [])
    #expect(try entries() == ["backup", "restored", "store"])
  }

  @Test func anProjectionKeeperIsBackedUpBesideItsWriters() throws {
    let store = try Store(at: path)
    let isDone = Flag()
    let writer = Thread {
      var count = 0
      while !isDone.isSet {
        count += 1
        // A failure appears as a backup without progress below.
        _ = try? store.write { _ = try $0.insert("Kind", ["name": .string("\(count)")]) }
      }
    }
    writer.start()
    var last = Position.empty
    for number in 0..<5 {
      let copy = try store.backUp(to: directory.path("backup \(number)"))
      #expect(copy.head > last)
      last = copy.head
    }
    isDone.set()
    while !writer.isFinished { Thread.sleep(forTimeInterval: 0.01) }
    #expect(try Store.restore(directory.path("backup 4"), to: directory.path("restored")).head == last)
  }

  @Test func nothingIsOverwritten() throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
    for operation in [
      { try Store.backUp(at: path, to: file) }, { try Store.compact(at: path, to: file) },
      { try Store.restore(path, to: file) }, { try Store.backUp(at: path, to: path) },
    ] {
      let error = #expect(throws: StoreError.self) { try operation() }
      #expect(error?.code == .exists)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    #expect(try entries() == ["backup", "store"])
  }

  @Test func aMissingDirectoryIsSaid() throws {
    let error = #expect(throws: StoreError.self) {
      try Store.backUp(at: path, to: directory.path("none/backup"))
    }
    #expect(error?.code == .notFound)
    #expect(throws: StoreError.self) { try Store.restore(directory.path("none"), to: directory.path("new")) }
  }

  @Test func aDamagedBackupIsNotRestored() throws {
    try Store.backUp(at: path, to: file)
    let sound = try #require(FileManager.default.contents(atPath: file))
    var random = SeededRandom(seed: 3)
    for number in 0..<30 {
      var bytes = [UInt8](sound)
      switch number % 3 {
      case 0: for _ in 0..<40 { bytes[random.number(0..<bytes.count)] ^= 1 << UInt8(random.number(0..<8)) }
      case 1: bytes.removeLast(random.number(4_096..<bytes.count))
      default: bytes = [UInt8]("not a backup at all, number \(number)".utf8)
      }
      try Data(bytes).write(to: URL(fileURLWithPath: file))
      let error = #expect(throws: StoreError.self) { try Store.restore(file, to: directory.path("new")) }
      #expect(error.map { [.damaged, .notAStore].contains($0.code) } ?? false, "\(String(describing: error))")
      #expect(try entries() == ["backup", "store"])
    }
  }

  @Test func aDamagedStoreIsNotBackedUp() throws {
    try OpeningDamageTests.Damage.cutBehindTheMetaPages.apply(to: "\(path)/journal/data.mdb")
    let error = #expect(throws: StoreError.self) { try Store.backUp(at: path, to: file) }
    #expect(error?.code == .damaged)
    #expect(try entries() == ["store"])
  }

  @Test func damagedProjectionsAreNoReasonNotToBackUp() throws {
    try OpeningDamageTests.Damage.randomBytes.apply(to: "\(path)/projections/data.mdb")
    try Store.backUp(at: path, to: file)
    #expect(try Store.verify(at: file).isSound)
  }

  @Test func aCompactedStoreIsReadyAndSmaller() throws {
    let store = try Store(at: path)
    for round in 0..<30 {
      try store.write { tx in
        for number in 0..<200 { try tx.insert("Tag", ["name": .string("tag \(round) \(number)")]) }
      }
    }
    for object in try store.fetch(Request(entity: "Tag")).rows { try store.write { try $0.delete(object.id) } }
    let target = directory.path("compacted")
    let copy = try store.compact(to: target)
    #expect(try copy.head == store.position)
    store.close()
    for part in ["journal", "projections"] {
      let sizes = try [path, target].map {
        try #require(FileManager.default.attributesOfItem(atPath: "\($0)/\(part)/data.mdb")[.size] as? Int)
      }
      #expect(sizes[1] < sizes[0], "\(part)")
    }
    let result = try Store.verify(at: target)
    #expect(result.faults == [])
    // No rebuild is needed: the projections are trusted under the new name.
    #expect(result.notes == [])
    let identity = try #require(
      FileManager.default.attributesOfItem(atPath: "\(target)/projections/data.mdb")[.systemFileNumber] as? Int)
    #expect(try rows(target) == rows(path))
    let after =
      try FileManager.default.attributesOfItem(atPath: "\(target)/projections/data.mdb")[.systemFileNumber] as? Int
    #expect(after == identity)
  }

  @Test func theJournalOfAnotherStoreCanBeRestored() throws {
    let copy = try Store.restore(path, to: directory.path("new"))
    #expect(try rows(directory.path("new")) == rows(path))
    #expect(copy.head > 10)
  }
}
