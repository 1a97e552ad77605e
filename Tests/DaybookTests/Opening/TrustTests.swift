import DaybookTestSupport
import Foundation
import InMemoryLogging
import Logging
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// The projections that a store trusts when it is opened.
///
/// The others are rebuilt byte for byte.
@Suite(.hangLimit) struct TrustTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let rows: TableDump

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("store")
    var options = StoreOptions()
    options.bootIdentifier = "first"
    let store = try Store(at: path, model: ModelZoo.recipes, options: options)
    try store.write { tx in
      for number in 0..<200 {
        let recipe = try tx.insert("Recipe", ["name": .string("r\(number)"), "servings": .integer(Int64(number))])
        for part in 0..<3 {
          let ingredient = try tx.insert(
            "Ingredient", ["name": .string("i\(part)"), "grams": .double(Double(number) / 7)])
          try tx.relate(recipe, "ingredients", to: ingredient)
        }
      }
    }
    rows = try store.projectionRows()
    store.close()
  }

  /// Opens the store in a boot and a mount, and compares all rows.
  ///
  /// - Returns: Whether the projections were trusted.
  private func open(
    _ path: String? = nil, boot: String, mount: UInt64? = nil, memory: Int = 256 << 20
  ) throws -> Bool {
    let handler = InMemoryLogHandler()
    var options = StoreOptions()
    options.bootIdentifier = boot
    options.mountIdentifier = mount
    options.rebuildMemoryInBytes = memory
    options.logger = Logger(label: "daybook") { _ in handler }
    let store = try Store(at: path ?? self.path, options: options)
    #expect(try store.projectionRows().firstDifference(from: rows) == nil)
    try store.write { try $0.insert("Tag", ["name": "later"]) }
    try closeAndVerify(store)
    return !handler.entries.contains { $0.message == "discarding untrusted projections" }
  }

  @Test func whatWasClosedIsTrustedInAnotherBoot() throws {
    #expect(try open(boot: "second"))
  }

  @Test func whatWasNotClosedIsTrustedInTheSameBoot() throws {
    try markUnclean(path, boot: "first")
    #expect(try open(boot: "first"))
  }

  @Test func anUnknownBootTrustsOnlyWhatWasClosed() throws {
    try markUnclean(path, boot: "")
    var random = SeededRandom(seed: 1)
    try damage(path + "/projections/data.mdb", &random)
    #expect(try !open(boot: ""))
  }

  @Test func whatACrashedBootLeftIsNeverLookedAt() throws {
    try Seeds.run(1) { seed in
      var random = SeededRandom(seed: seed)
      for round in 0..<10 {
        let copy = directory.path("copy \(round)")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try markUnclean(copy, boot: "first")
        try damage(copy + "/projections/data.mdb", &random)
        let isTrusted = try open(copy, boot: "second", memory: random.pick([1, 1 << 14, 256 << 20]))
        #expect(!isTrusted)
      }
    }
  }

  @Test func whatAVolumeLostBetweenTwoMountsIsNeverRead() throws {
    try Seeds.run(1) { seed in
      var random = SeededRandom(seed: seed)
      for round in 0..<10 {
        let copy = directory.path("copy \(round)")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try markUnclean(copy, boot: "first", mount: 7)
        try damage(copy + "/projections/data.mdb", &random)
        let isTrusted = try open(copy, boot: "first", mount: 8, memory: random.pick([1, 1 << 14, 256 << 20]))
        #expect(!isTrusted)
      }
    }
  }

  @Test func whatWasClosedIsTrustedInAnotherMount() throws {
    #expect(try open(boot: "first", mount: 8))
  }

  @Test func aMarkerOfAnEarlierVersionTrustsNothing() throws {
    for isClean in [true, false] {
      let copy = directory.path("clean \(isClean)")
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      try changeTrustMarker(of: copy) { marker in
        marker.isClean = isClean
        marker.run.boot = "first"
        // Earlier versions record neither a mount nor the version of the rows, which had no checksums.
        return marker.bytes.dropLast(9)
      }
      #expect(try Store.verify(at: copy).isSound)
      #expect(try !open(copy, boot: "first"))
    }
  }

  @Test func aWriterThatDiesWhileProjectionsBeginLeavesNoneThatAreTrusted() throws {
    // The new file may have the inode of the old one, and a crash of the system may leave it torn.
    try markUnclean(path, boot: "another")
    let writer = KilledWriter(seed: 1, first: 0)
    try writer.start(path, durability: "full", mode: "one", probe: WriteProbe.afterProjectionsBegin.rawValue, count: 1)
    while writer.isRunning { Thread.sleep(forTimeInterval: 0.01) }
    _ = try writer.kill()
    #expect(try trustMarker(of: path) == nil)
    var random = SeededRandom(seed: 2)
    try damage(path + "/projections/data.mdb", &random)
    #expect(try Store.verify(at: path).isSound)
    #expect(try !open(boot: "first"))
  }

  @Test func aCopiedDirectoryIsBuiltAnew() throws {
    let copy = directory.path("copy")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try !open(copy, boot: "first"))
    #expect(try open(boot: "first"))
  }

  @Test func removedProjectionsAreBuiltAnew() throws {
    try removeProjections(of: path)
    #expect(try !open(boot: "first"))
  }

  @Test func anEmptyFileIsBuiltAnew() throws {
    try Data().write(to: URL(fileURLWithPath: path + "/projections/data.mdb"))
    #expect(try !open(boot: "first"))
  }

  @Test func anOlderJournalBesideNewerProjectionsIsNotBelieved() throws {
    // A restored journal has fewer commits than the projections beside it, or different ones.
    let copy = directory.path("copy")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try open(boot: "first"))
    try FileManager.default.removeItem(atPath: path + "/journal/data.mdb")
    try FileManager.default.copyItem(atPath: copy + "/journal/data.mdb", toPath: path + "/journal/data.mdb")
    _ = try open(boot: "first")
  }
}
