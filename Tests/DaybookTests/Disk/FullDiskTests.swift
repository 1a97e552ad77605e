import DaybookModel
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// A full disk: writes are refused, acknowledged data stays, and the store can continue.
@Suite(.hangLimit, .enabled(if: SmallDisk.isPermitted, .init(rawValue: SmallDisk.reason)))
struct FullDiskTests {
  private static let model = Model(entities: [
    Entity(
      name: "Note", nameAttribute: "title",
      attributes: [
        Attribute(name: "title", type: .string), Attribute(name: "body", type: .string, isOptional: true),
        Attribute(name: "picture", type: .data, isOptional: true),
      ],
      unique: [["title"]])
  ])

  private let disk: SmallDisk

  init() throws {
    disk = try SmallDisk(sizeInBytes: 48 << 20)
  }

  private func makeStore(_ options: StoreOptions = StoreOptions()) throws -> Store {
    try Store(at: disk.path("store"), model: Self.model, options: options)
  }

  private func insert(_ title: String, size: Int, into store: Store) throws -> ObjectID {
    try store.write {
      try $0.insert("Note", ["title": .string(title), "body": .string(String(repeating: "7", count: size))])
    }
  }

  private func expectFull(_ error: StoreError?, location: SourceLocation = #_sourceLocation) {
    #expect(error?.code == .full, "\(String(describing: error))", sourceLocation: location)
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(disk.path) && text.contains("Make room"), "\(text)", sourceLocation: location)
  }

  /// Writes until the disk is full. The storage engine writes each size in a different way.
  @Test(arguments: [10, 3_000, 20_000, 300_000, 1_500_000])
  func aWriteIsRefusedAndTheStoreGoesOnWhenThereIsRoom(size: Int) throws {
    let store = try makeStore()
    defer { store.close() }
    var notes: [ObjectID] = []
    for round in 0..<4 {
      try disk.fill(leaving: 200_000 + 4 * size)
      var error: StoreError?
      while error == nil {
        do {
          notes.append(try insert("\(round) \(notes.count)", size: size, into: store))
        } catch let refusal as StoreError {
          error = refusal
        }
      }
      expectFull(error)
      // The journal's refusal leaves the projections unchanged; their own failure is repaired once there is space.
      disk.makeRoom()
      #expect(try store.position.number == UInt64(notes.count + 1))
      for note in notes { #expect(try store.get(note)?["body"] == .string(String(repeating: "7", count: size))) }
    }
    notes.append(try insert("last", size: size, into: store))
    try closeAndVerify(store)
  }

  @Test func aLargeValueThatDoesNotFitLeavesNothingOfItself() throws {
    let store = try makeStore()
    try store.write {
      try $0.insert("Note", ["title": "first", "picture": .data([UInt8](repeating: 1, count: 100_000))])
    }
    let picture = Value.data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 8) })
    try disk.fill(leaving: 1 << 20)
    expectFull(
      #expect(throws: StoreError.self) {
        try store.write { try $0.insert("Note", ["title": "a", "picture": picture]) }
      })
    #expect(try store.position == 2)
    disk.makeRoom()
    let note = try store.write { try $0.insert("Note", ["title": "a", "picture": picture]) }
    #expect(try store.get(note)?["picture"].data() == picture.data())
    try closeAndVerify(store)
  }

  @Test func aFullDiskIsNoReasonToGiveTheStoreUp() throws {
    let store = try makeStore()
    try disk.fill()
    for number in 0..<20 {
      expectFull(#expect(throws: StoreError.self) { try insert("\(number)", size: 400_000, into: store) })
      #expect(try store.position == 1)
    }
    disk.makeRoom()
    _ = try insert("a", size: 400_000, into: store)
    try closeAndVerify(store)
  }

  @Test func aBatchThatDoesNotFitLeavesNothing() throws {
    let store = try makeStore()
    _ = try insert("a", size: 10, into: store)
    try disk.fill(leaving: 1 << 20)
    let error = #expect(throws: StoreError.self) {
      try store.batch { batch in
        let body = Value.string(String(repeating: "1", count: 50_000))
        for number in 0..<100 {
          try batch.commit { try $0.insert("Note", ["title": .string("\(number)"), "body": body]) }
        }
      }
    }
    expectFull(error)
    #expect(try store.position == 2)
    disk.makeRoom()
    _ = try insert("b", size: 10, into: store)
    #expect(try store.position == 3)
    try closeAndVerify(store)
  }

  /// The journal has the commit, but then the disk has no space for the projections.
  @Test func aCommitOfTheJournalStandsWithoutRoomForTheProjections() throws {
    let tap = Tap(disk)
    let store = try makeStore(tap.options)
    let first = try insert("first", size: 10, into: store)
    tap.open()
    let second = try insert("second", size: 500_000, into: store)
    expectFull(#expect(throws: StoreError.self) { try store.get(second) })
    expectFull(#expect(throws: StoreError.self) { try insert("third", size: 500_000, into: store) })
    disk.makeRoom()
    #expect(try store.get(second)?["title"] == "second")
    #expect(try store.get(first)?["title"] == "first")
    #expect(try store.position == 3)
    _ = try insert("third", size: 10, into: store)
    try closeAndVerify(store)
  }

  /// The commit is durable, so the context is saved, though the store cannot be read yet.
  @Test func aContextIsSavedWithoutRoomForTheProjections() throws {
    let tap = Tap(disk)
    let store = try makeStore(tap.options)
    let context = try store.makeContext()
    let results = try context.liveResults(of: Request(entity: "Note"))
    let note = try context.insert("Note", ["title": "a", "body": .string(String(repeating: "7", count: 500_000))])
    tap.open()
    #expect(try context.save() == 2)
    #expect(!context.hasChanges)
    expectFull(#expect(throws: StoreError.self) { try context.get(note) })
    disk.makeRoom()
    try context.rebase()
    #expect(try context.get(note)?["title"] == "a")
    let change = try results.update()
    #expect(change?.isReset == true)
    #expect(try results.count == 1)
    try closeAndVerify(store)
  }

  /// Like the test above, but the process ends before there is space.
  @Test func projectionsThatFellBehindAreMendedByTheNextOpening() throws {
    let tap = Tap(disk)
    let store = try makeStore(tap.options)
    tap.open()
    let note = try insert("a", size: 500_000, into: store)
    store.close()
    expectFull(#expect(throws: StoreError.self) { try Store(at: disk.path("store")) })
    disk.makeRoom()
    let again = try Store(at: disk.path("store"))
    #expect(try again.get(note)?["title"] == "a")
    try closeAndVerify(again)
  }

  @Test func aClosedStoreCanBeOpenedAndReadByManyOnAFullDisk() throws {
    let store = try makeStore()
    let note = try insert("a", size: 10, into: store)
    try disk.fill()
    store.close()
    let again = try Store(at: disk.path("store"))
    defer { again.close() }
    // Readers take slots in the lock file, whose pages must have their disk space before.
    func look(_ depth: Int) throws {
      try again.read { reader in
        #expect(try reader.get(note)?["title"] == "a")
        if depth > 0 { try look(depth - 1) }
      }
    }
    try look(300)
    disk.makeRoom()
    try closeAndVerify(again)
  }

  @Test(arguments: [0, 4_096, 20_000, 60_000, 150_000, 300_000, 1_000_000])
  func aStoreIsMadeWholeOrNotAtAll(room: Int) throws {
    try disk.fill(leaving: room)
    do {
      try closeAndVerify(try makeStore())
      #expect(room > 100_000)
    } catch let error as StoreError {
      expectFull(error)
      // The directory with the journal may stay, without the projections, which can be rebuilt.
      let contents = try disk.contents
      #expect(contents.isEmpty || contents == ["store"])
    }
    disk.makeRoom()
    try closeAndVerify(try makeStore())
  }

  @Test func aRebuildWithoutRoomLeavesTheOldTables() throws {
    let store = try makeStore()
    for number in 0..<40 { _ = try insert("\(number)", size: 100_000, into: store) }
    let rows = try store.projectionRows()
    try disk.fill()
    expectFull(#expect(throws: StoreError.self) { try store.rebuild() })
    #expect(try store.projectionRows().firstDifference(from: rows) == nil)
    disk.makeRoom()
    try store.rebuild()
    try closeAndVerify(store)
  }

  @Test func aBackupWithoutRoomLeavesNoFile() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: Self.model)
    for number in 0..<10 { _ = try insert("\(number)", size: 100_000, into: store) }
    try disk.fill(leaving: 300_000)
    let error = #expect(throws: StoreError.self) { try store.backUp(to: disk.path("backup")) }
    #expect(error?.code == .full, "\(String(describing: error))")
    #expect(try disk.contents == [])
    disk.makeRoom()
    try store.backUp(to: disk.path("backup"))
    try closeAndVerify(store)
  }
}

/// Fills a disk between the two commits of the next write.
private final class Tap: Sendable {
  private let disk: SmallDisk
  private let isOpen = Mutex(false)

  init(_ disk: SmallDisk) { self.disk = disk }

  func open() {
    isOpen.withLock { $0 = true }
  }

  var options: StoreOptions {
    var options = StoreOptions()
    options.probe = { [self] probe in
      guard probe == .betweenCommits, isOpen.withLock({ exchange(&$0, with: false) }) else { return }
      do { try disk.fill() } catch { Issue.record(error) }
    }
    return options
  }
}

private func exchange(_ value: inout Bool, with new: Bool) -> Bool {
  defer { value = new }
  return value
}
