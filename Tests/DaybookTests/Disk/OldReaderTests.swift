import DaybookTestSupport
import Foundation
import InMemoryLogging
import LMDB
import Logging
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Read transactions that stay open for long: how old they are, and that each is reported once.
@Suite(.hangLimit) struct OldReaderTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let handler = InMemoryLogHandler()
  private let time = Locked(Timestamp(microseconds: 1_800_000_000_000_000))

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("store")
    try Store(at: path, model: .library).close()
  }

  private var options: StoreOptions {
    var options = StoreOptions()
    options.readerCheckInterval = .zero
    options.readerAgeLimit = .seconds(30)
    options.durability = .relaxed
    options.logger = Logger(label: "daybook") { [handler] _ in handler }
    options.clock = { [time] in time.withLock { $0 } }
    return options
  }

  private func wait(seconds: Int64) {
    time.withLock { $0 = Timestamp(microseconds: $0.microseconds + seconds * 1_000_000) }
  }

  private var reports: [InMemoryLogHandler.Entry] {
    handler.entries.filter { $0.message == "an old reader makes the files grow with each commit until it ends" }
  }

  private func write(_ count: Int, to store: Store) throws {
    for number in 0..<count { try store.write { _ = try $0.insert(Book(title: "book \(number)")) } }
  }

  @Test func aReaderIsReportedOnceWhenItIsOld() throws {
    let store = try Store(at: path, options: options)
    try store.files.withJournal { _ in
      try write(1, to: store)
      wait(seconds: 29)
      try write(1, to: store)
      #expect(reports.isEmpty)
      wait(seconds: 1)
      try write(3, to: store)
      let report = try #require(reports.first)
      #expect(reports.count == 1 && report.level == .warning)
      #expect(report.metadata["process"] == "\(ProcessInfo.processInfo.processIdentifier)")
      #expect(report.metadata["seconds"] == "30")
      #expect(report.metadata["store"] == "\(path)")
      #expect(Int(report.metadata["grownBytes"]?.description ?? "") != nil)
    }
    // Another transaction is another reader, though it has the same slot.
    try store.files.withJournal { _ in
      try write(1, to: store)
      wait(seconds: 40)
      try write(1, to: store)
    }
    #expect(reports.count == 2)
    try closeAndVerify(store)
  }

  @Test func shortReadersAreNotReported() throws {
    let store = try Store(at: path, options: options)
    for _ in 0..<5 {
      #expect(try store.count(Book.all) >= 0)
      wait(seconds: 40)
      try write(1, to: store)
    }
    #expect(reports.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: path + "/journal/readers"))
    try closeAndVerify(store)
  }

  @Test func theAgeOfAReaderOutlivesTheProcessThatSawIt() throws {
    let store = try Store(at: path, options: options)
    let watch = ReaderWatch(StoreDirectory(path), options: options)
    try store.files.withJournal { _ in
      let readers = try store.files.journalEnvironment.readers()
      let reader = try #require(readers.first { $0.transactionID != nil })
      watch.check(readers)
      wait(seconds: 12)
      // What another process sees later.
      let other = ReaderWatch(StoreDirectory(path), options: options)
      other.check(readers)
      let sighting = try #require(other.sighting(of: reader))
      #expect(sighting.age(at: time.withLock { $0 }) == .seconds(12))
      #expect(sighting.fileSizeInBytes > 0)
      #expect(reports.isEmpty)
    }
    watch.check([])
    #expect(!FileManager.default.fileExists(atPath: path + "/journal/readers"))
    try closeAndVerify(store)
  }

  @Test(arguments: [
    "", "\n\n", "1 2 3", "a b c d e\n", "99999999999999999999 1 1 1 1\n", "1 1 1 -9223372036854775808 1\n",
  ])
  func aFileOfReadersThatIsDamagedIsReplaced(text: String) throws {
    try text.write(toFile: path + "/journal/readers", atomically: false, encoding: .utf8)
    let store = try Store(at: path, options: options)
    try store.files.withJournal { _ in
      try write(1, to: store)
      wait(seconds: 31)
      try write(1, to: store)
    }
    #expect(reports.count == 1)
    try write(1, to: store)
    #expect(!FileManager.default.fileExists(atPath: path + "/journal/readers"))
    try closeAndVerify(store)
  }
}
