import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct VerificationTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func aNewStoreIsSound() throws {
    try Store(at: path, model: BusyStore.model).close()
    let result = try Store.verify(at: path)
    #expect(result.faults == [])
    #expect(result.head == 1)
    #expect(result.commitCount == 1)
    #expect(result.advice == nil)
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func aBusyStoreIsSoundAndCounted(seed: UInt64) throws {
    try BusyStore.make(at: path, seed: seed)
    let result = try Store.verify(at: path)
    #expect(result.faults == [])
    #expect(result.notes == [])
    #expect(result.eventCount > 100)
    #expect(result.rowCount > 100)
    #expect(UInt64(result.commitCount) == result.head.number)
  }

  @Test func smallWindowsOfMemoryGiveTheSameAnswer() throws {
    try BusyStore.make(at: path)
    var options = StoreOptions()
    options.rebuildMemoryInBytes = 1_000
    let result = try Store.verify(at: path, options: options)
    #expect(result.faults == [])
    #expect(try result.rowCount == Store.verify(at: path).rowCount)
  }

  @Test func verifyingChangesNothing() throws {
    try BusyStore.make(at: path)
    let files = ["journal/data.mdb", "projections/data.mdb"].map { "\(path)/\($0)" }
    let before = files.map { FileManager.default.contents(atPath: $0) }
    _ = try Store.verify(at: path)
    #expect(files.map { FileManager.default.contents(atPath: $0) } == before)
  }

  @Test func anProjectionKeeperVerifiesItself() throws {
    try BusyStore.make(at: path)
    let store = try Store(at: path)
    #expect(try store.verify().faults == [])
    let error = #expect(throws: StoreError.self) { try Store.verify(at: path) }
    #expect(error?.code == .exists)
    store.close()
    #expect(throws: StoreError.self) { try store.verify() }
  }

  @Test func whatIsNoStoreIsRefused() throws {
    #expect(throws: StoreError.self) { try Store.verify(at: path) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let error = #expect(throws: StoreError.self) { try Store.verify(at: path) }
    #expect(error?.code == .notAStore)
  }

  @Test func hashesThatWereNotedDownAreCompared() throws {
    try BusyStore.make(at: path)
    let noted = try Store.verify(at: path)
    let hash = try #require(noted.hash)
    #expect(try Store.verify(at: path, expecting: [noted.head: hash]).isSound)
    let faults = try Store.verify(at: path, expecting: [noted.head: hash, 3: hash]).faults
    #expect(faults.map(\.place) == ["commit 3"])
    #expect(try !Store.verify(at: path, expecting: [noted.head.next: hash]).isSound)
  }

  @Test func aStoreWithoutProjectionsIsSound() throws {
    try BusyStore.make(at: path)
    try FileManager.default.removeItem(atPath: "\(path)/projections")
    let result = try Store.verify(at: path)
    #expect(result.faults == [])
    #expect(result.notes.count == 1)
  }

  @Test func projectionsBehindTheJournalAreSound() throws {
    var options = StoreOptions()
    struct Stop: Error {}
    try BusyStore.make(at: path, commitCount: 20)
    let copy = directory.path("copy")
    try FileManager.default.copyItem(atPath: "\(path)/projections", toPath: copy)
    options.randomBits = { 1 }
    let store = try Store(at: path, options: options)
    try store.write { _ = try $0.insert("Kind", ["name": "late"]) }
    try store.apply(BusyStore.laterModel)
    store.close()
    try FileManager.default.removeItem(atPath: "\(path)/projections")
    try FileManager.default.moveItem(atPath: copy, toPath: "\(path)/projections")
    let result = try Store.verify(at: path)
    #expect(result.faults == [])
    #expect(result.notes.count == 1)
    #expect(result.rowCount > 0)
  }

  @Test func aStoreIsVerifiedBesideItsWriters() throws {
    try BusyStore.make(at: path)
    let store = try Store(at: path)
    let isDone = Flag()
    let writers = (0..<2).map { number in
      Thread {
        var count = 0
        while !isDone.isSet {
          count += 1
          // A failure appears as a missing commit below.
          _ = try? store.write { tx in
            let id = try tx.insert("Kind", ["name": .string("\(number) \(count)")])
            if count % 3 == 0 { try tx.delete(id) }
          }
        }
      }
    }
    for writer in writers { writer.start() }
    let before = try store.position
    for _ in 0..<20 {
      let result = try store.verify()
      #expect(result.faults == [])
    }
    let after = try store.position
    isDone.set()
    while writers.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.01) }
    #expect(after > before)
    #expect(try store.verify().isSound)
  }
}

/// A signal that one thread sends to others once.
final class Flag: @unchecked Sendable {
  // The lock guards the value.
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
