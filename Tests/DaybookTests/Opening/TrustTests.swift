import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook

/// Which projections a store trusts when it is opened, and that those it does not trust come back byte for byte.
@Suite struct TrustTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let rows: ProjectionRows
  private let generations: [UInt64]

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
    generations = try TrustTests.generations(store)
    store.close()
  }

  private static func generations(_ store: Store) throws -> [UInt64] {
    try store.projectionsEnvironment.withSnapshot { try store.readState(in: $0)?.generations ?? [] }
  }

  /// Opens the store in a boot, and compares all rows.
  ///
  /// - Returns: Whether the projections are those that were there.
  private func open(_ path: String? = nil, boot: String, memory: Int = 256 << 20) throws -> Bool {
    var options = StoreOptions()
    options.bootIdentifier = boot
    options.rebuildMemoryInBytes = memory
    let store = try Store(at: path ?? self.path, options: options)
    #expect(try store.projectionRows().firstDifference(from: rows) == nil)
    let isSame = try TrustTests.generations(store) == generations
    try store.write { try $0.insert("Tag", ["name": "later"]) }
    try closeAndVerify(store)
    return isSame
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
    _ = try open(boot: "")
  }

  @Test func whatACrashedBootLeftIsNeverLookedAt() throws {
    try Seeds.run(1) { seed in
      var random = SeededRandom(seed: seed)
      for round in 0..<10 {
        let copy = directory.path("copy \(round)")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try markUnclean(copy, boot: "first")
        try damage(copy + "/projections/data.mdb", &random)
        _ = try open(copy, boot: "second", memory: random.pick([1, 1 << 14, 256 << 20]))
      }
    }
  }

  @Test func aCopiedDirectoryIsBuiltAnew() throws {
    let copy = directory.path("copy")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    _ = try open(copy, boot: "first")
    #expect(try open(boot: "first"))
  }

  @Test func removedProjectionsAreBuiltAnew() throws {
    try removeProjections(of: path)
    _ = try open(boot: "first")
  }

  @Test func anEmptyFileIsBuiltAnew() throws {
    try Data().write(to: URL(fileURLWithPath: path + "/projections/data.mdb"))
    _ = try open(boot: "first")
  }

  @Test func anOlderJournalBesideNewerProjectionsIsNotBelieved() throws {
    // A journal that was restored has fewer commits, or others, than the projections beside it.
    let copy = directory.path("copy")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try open(boot: "first"))
    try FileManager.default.removeItem(atPath: path + "/journal/data.mdb")
    try FileManager.default.copyItem(atPath: copy + "/journal/data.mdb", toPath: path + "/journal/data.mdb")
    _ = try open(boot: "first")
  }
}
