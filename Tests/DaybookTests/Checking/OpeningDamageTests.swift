import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Clearly invalid files are refused or rebuilt, and never end the process.
@Suite(.hangLimit) struct OpeningDamageTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }

  init() throws {
    directory = try TemporaryDirectory()
    try BusyStore.make(at: directory.path("store"), commitCount: 30, hasLargeCommits: false)
  }

  enum Damage: CaseIterable {
    case empty, oneByte, truncated, cutBehindTheMetaPages, randomBytes, text, directory, metaPagesZeroed

    /// Whether no trace shows that the file was a journal.
    var isForeign: Bool { ![.truncated, .cutBehindTheMetaPages].contains(self) }

    func apply(to file: String) throws {
      var bytes = try #require(FileManager.default.contents(atPath: file))
      var random = SeededRandom(seed: 5)
      switch self {
      case .empty: bytes = Data()
      case .oneByte: bytes = Data([1])
      case .truncated: bytes = bytes.prefix(bytes.count / 2)
      case .cutBehindTheMetaPages: bytes = bytes.prefix(8_192)
      case .randomBytes: bytes = Data((0..<bytes.count).map { _ in UInt8.random(in: 0...255, using: &random) })
      case .text: bytes = Data(String(repeating: "This is a text.\n", count: 2_000).utf8)
      case .metaPagesZeroed: bytes.replaceSubrange(0..<8_192, with: Data(count: 8_192))
      case .directory:
        try FileManager.default.removeItem(atPath: file)
        return try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
      }
      // In place, so that the file keeps its identity.
      let handle = try #require(FileHandle(forWritingAtPath: file))
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: bytes)
      try handle.close()
    }
  }

  @Test(arguments: Damage.allCases) func aDamagedJournalIsRefused(damage: Damage) throws {
    try damage.apply(to: "\(path)/journal/data.mdb")
    let before = FileManager.default.contents(atPath: "\(path)/journal/data.mdb")
    let error = #expect(throws: StoreError.self) { try Store(at: path) }
    #expect(error?.code == (damage.isForeign ? .notAStore : .damaged), "\(String(describing: error))")
    #expect(FileManager.default.contents(atPath: "\(path)/journal/data.mdb") == before)
    if damage == .directory {
      #expect(throws: StoreError.self) { try Store.verify(at: path) }
    } else {
      #expect(try !Store.verify(at: path).isSound)
    }
  }

  @Test(arguments: Damage.allCases) func damagedProjectionsAreBuiltAgain(damage: Damage) throws {
    try damage.apply(to: "\(path)/projections/data.mdb")
    if damage != .directory {
      let result = try Store.verify(at: path)
      #expect(!result.isSound)
      #expect(result.faults.allSatisfy { $0.part == .projections })
    }
    let store = try Store(at: path)
    #expect(try store.fetch(Request(entity: "Recipe")).rows.count > 0)
    #expect(try store.verify().faults == [])
    store.close()
    #expect(try Store.verify(at: path).faults == [])
  }

  @Test func aStoreCanBeOpenedAtOnceAfterManyRebuilds() throws {
    // Dropped tables leave free pages, the last of which are not written to the file.
    for _ in 0..<5 {
      let store = try Store(at: path)
      try store.rebuild()
      try store.rebuild(.indexes)
      store.close()
      #expect(try Store.verify(at: path).faults == [])
    }
  }
}
