import DaybookTestSupport
import Foundation
import LMDB
import Testing

/// Leaves of a tree that were written in each other's places, whose rows are sound.
@Suite(.hangLimit) struct PageExchangeTests {
  private let directory = TemporaryDirectory()
  private static let pageSize = 4_096
  private static let count = 600

  /// Keys of a size that puts some ten on a page.
  private static func key(_ number: Int) -> [UInt8] { bytes(number * 2) + [UInt8](repeating: 1, count: 300) }

  /// Returns the places of leaves with more than one of the keys.
  private static func leaves(in file: Data) -> [Int] {
    (2..<file.count / pageSize).filter { page in
      let bytes = [UInt8](file[page * pageSize..<(page + 1) * pageSize])
      let (flags, lower) = (Int(bytes[10]) | Int(bytes[11]) << 8, Int(bytes[12]) | Int(bytes[13]) << 8)
      return bytes[0] == UInt8(page & 255) && flags == 2 && lower > 16 + 2 * 2
    }
  }

  @Test(arguments: ["plain", "checked"]) func `no search passes over a wrong page`(_ name: String) throws {
    let options = EnvironmentOptions(
      mapSizeInBytes: 1 << 26, maximumTables: 8, flush: .none, hasChecksums: { $0 == "checked" })
    let environment = try Environment.open(at: directory.path, options: options)
    let table = try environment.makeTable(name)
    try environment.write { transaction in
      for number in 0..<Self.count { try transaction.put(Self.key(number), [1], in: table) }
    }
    environment.close()
    let sound = try Data(contentsOf: URL(fileURLWithPath: directory.dataFile))
    let leaves = Self.leaves(in: sound)
    try #require(leaves.count > 20)
    var generator = SeededRandom(seed: Seeds.one)
    var refusedCount = 0
    for _ in 0..<40 {
      let (first, second) = (generator.pick(leaves), generator.pick(leaves))
      var damaged = sound
      for (from, to) in [(first, second), (second, first)] {
        let page = sound[from * Self.pageSize..<(from + 1) * Self.pageSize]
        damaged.replaceSubrange(to * Self.pageSize..<(to + 1) * Self.pageSize, with: page)
      }
      try damaged.write(to: URL(fileURLWithPath: directory.dataFile))
      let environment = try Environment.open(at: directory.path, options: options)
      defer { environment.close() }
      let table = try #require(try environment.openTables([name]).first ?? nil)
      for number in 0...Self.count {
        // Between two keys, and at a key.
        for start in [bytes(number * 2 - (number > 0 ? 1 : 0)), Self.key(number)] {
          do {
            try environment.read { transaction in
              var cursor = try transaction.makeCursor(in: table)
              let isFound = try cursor.seek(atOrAfter: start.rawSpan)
              #expect(isFound == (number < Self.count))
              guard isFound else { return }
              #expect([UInt8](cursor.key) == Self.key(number), "\(generator.seed): pages \(first) and \(second)")
              let end = Self.key(min(number + 15, Self.count))
              #expect(try cursor.countEntries(before: end.rawSpan).all == min(15, Self.count - number))
            }
          } catch let error as LMDBError {
            #expect(error.isDamage)
            refusedCount += 1
          }
        }
      }
    }
    #expect(refusedCount > 1_000)
  }
}
