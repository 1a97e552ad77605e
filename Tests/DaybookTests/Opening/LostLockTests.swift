import DaybookTestSupport
import Foundation
import InMemoryLogging
import Logging
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Stores whose process has dropped LMDB's record locks.
///
/// POSIX drops them when the process closes any descriptor of a locked file, for example in a program that copies the
/// files of its own open store.
@Suite(.hangLimit) struct LostLockTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("store")
    let store = try Store(at: path, model: CrashRun.model)
    try store.write { try $0.insert("Tag", ["name": "all"]) }
    store.close()
  }

  private func dropLocks() throws {
    try FileManager.default.copyItem(atPath: path, toPath: directory.path("copy \(UUID().uuidString)"))
  }

  private func titles(_ store: Store) throws -> Set<String> {
    Set(try store.fetch(Request(entity: "Note")).rows.map { "\($0["title"])" })
  }

  @Test func aProgramThatCopiesItsProjectionKeeperKeepsOthersOut() throws {
    let store = try Store(at: path)
    let other = KilledWriter(seed: 2, first: 0)
    try store.write { tx in
      try dropLocks()
      try other.start(path, durability: "full", mode: "one", probe: "none", count: 1)
      // The process fails after a second.
      while other.isRunning { Thread.sleep(forTimeInterval: 0.01) }
      try tx.insert("Note", ["title": "mine", "size": 1])
    }
    #expect(try other.end().isEmpty)
    #expect(try titles(store).count == 1)
    try closeAndVerify(store)
  }

  @Test func theNextWriteTakesTheLockAgain() throws {
    let store = try Store(at: path)
    try dropLocks()
    try store.write { _ = try $0.insert("Note", ["title": "mine", "size": 1]) }
    let other = KilledWriter(seed: 2, first: 0)
    try other.start(path, durability: "full", mode: "one", probe: "none", count: 1)
    other.waitForOutput()
    for number in 0..<20 {
      try store.write { _ = try $0.insert("Note", ["title": .string("\(number)"), "size": 1]) }
      if number % 7 == 3 { try dropLocks() }
    }
    let acknowledged = try other.kill()
    #expect(!acknowledged.isEmpty)
    let titles = try titles(store)
    #expect((0..<20).allSatisfy { titles.contains("\(Value.string("\($0)"))") })
    try store.read { reader in
      for (number, position) in acknowledged {
        let found = try reader.journal.position(ofCommitID: ObjectID(high: 2, low: number))
        #expect(found == position)
      }
    }
    try closeAndVerify(store)
  }

  @Test func aProcessThatHasLostItsLockIsNamed() throws {
    let writer = KilledWriter(seed: 2, first: 0)
    try writer.start(path, durability: "full", mode: "copy", probe: "none", count: 1)
    writer.waitForOutput()
    let error = #expect(throws: StoreError.self) { try Store(at: path) }
    #expect(error?.code == .busy)
    #expect(error?.message.contains("process \(writer.processIdentifier) (CrashWriter)") == true, "\(error as Any)")
    _ = try writer.kill()
    try closeAndVerify(try Store(at: path))
  }

  @Test func projectionsThatAnotherProcessHasOpenAreTrustedThroughAnotherMount() throws {
    let writer = KilledWriter(seed: 2, first: 0)
    try writer.start(path, durability: "full", mode: "one", probe: "none", count: 1)
    writer.waitForOutput()
    let handler = InMemoryLogHandler()
    var options = StoreOptions()
    options.mountIdentifier = 7
    options.logger = Logger(label: "daybook") { _ in handler }
    let store = try Store(at: path, options: options)
    #expect(handler.entries.isEmpty, "\(handler.entries)")
    try store.write { _ = try $0.insert("Note", ["title": "mine", "size": 1]) }
    _ = try writer.kill()
    try closeAndVerify(store)
  }
}
