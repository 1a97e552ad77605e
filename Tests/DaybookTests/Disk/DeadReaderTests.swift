import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Killed readers and writers, whose remains use no space or handles and fail no reads.
@Suite(.hangLimit) struct DeadReaderTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("store")
    let store = try Store(at: path, model: CrashRun.model)
    try store.write { tx in
      try tx.insert("Tag", ["name": "all"])
      for number in 0..<50 {
        try tx.insert("Note", ["title": .string("first \(number)"), "size": .integer(Int64(number))])
      }
    }
    store.close()
  }

  private func killReader() throws {
    let reader = KilledWriter(seed: 2, first: 0)
    try reader.start(path, durability: "full", mode: "read", probe: "none", count: 1)
    reader.waitForOutput()
    _ = try reader.kill()
  }

  @Test func filesDoNotGrowForAReaderThatWasKilled() throws {
    var options = StoreOptions()
    options.durability = .relaxed
    options.readerCheckInterval = .milliseconds(20)
    let store = try Store(at: path, options: options)
    let note = try #require(try store.fetch(Request(entity: "Note", limit: 1)).rows.first)
    try killReader()
    let environments = [store.files.journalEnvironment, store.keeper.projectionsEnvironment]
    #expect(environments.allSatisfy { $0.info.liveReaderCount == 1 })
    for number in 0..<600 { try store.write { try $0.set(note.id, ["size": .integer(Int64(number))]) } }
    #expect(environments.allSatisfy { $0.info.liveReaderCount == 0 })
    #expect(store.keeper.projectionsEnvironment.info.usedSizeInBytes < 2 << 20)
    try closeAndVerify(store)
  }

  @Test func aFullMapIsFirstFreedOfDeadReaders() throws {
    var options = StoreOptions()
    options.durability = .relaxed
    options.projectionsMapSizeInBytes = 1 << 20
    let store = try Store(at: path, options: options)
    let note = try #require(try store.fetch(Request(entity: "Note", limit: 1)).rows.first)
    try killReader()
    for number in 0..<300 { try store.write { try $0.set(note.id, ["size": .integer(Int64(number))]) } }
    #expect(store.keeper.projectionsEnvironment.info.mapSizeInBytes == 1 << 20)
    try closeAndVerify(store)
  }

  @Test func aReaderOutlivesManyRebuildsByAnotherProcess() throws {
    var options = StoreOptions()
    options.maximumTableCount = 16
    let store = try Store(at: path, options: options)
    let writer = KilledWriter(seed: 2, first: 0)
    try writer.start(path, durability: "relaxed", mode: "tables", probe: "none", count: 1)
    let first = try store.position
    let deadline = ContinuousClock.now + .seconds(30)
    while try store.position < Position(first.number + 12), ContinuousClock.now < deadline {
      let count = try store.fetch(Request(entity: "Note")).rows.count
      #expect(count >= 50)
      usleep(2_000)
    }
    _ = try writer.kill()
    #expect(try store.position >= Position(first.number + 12))
    try closeAndVerify(store)
  }

  @Test func aReadInsideAWriteSeesWhatAKilledWriterLeftBehind() throws {
    let store = try Store(at: path)
    let writer = KilledWriter(seed: 2, first: 0)
    try writer.start(path, durability: "full", mode: "one", probe: WriteProbe.betweenCommits.rawValue, count: 1)
    while writer.isRunning { usleep(1_000) }
    _ = try writer.kill()
    try store.write { tx in
      #expect(try store.fetch(Request(entity: "Note")).rows.count == 51)
      try tx.insert("Note", ["title": "mine", "size": 1])
    }
    #expect(try store.fetch(Request(entity: "Note")).rows.count == 52)
    try closeAndVerify(store)
  }
}
