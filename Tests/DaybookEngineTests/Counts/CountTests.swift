import DaybookModel
import DaybookTestSupport
import LMDB
import Testing

@testable import DaybookEngine

/// The counts of the indexes, compared with counts of a plain set of keys.
@Suite(.hangLimit) struct CountTests {
  private static let hashes: [UInt64] = [
    9_453_038_937_549_525_072, 15_082_883_483_874_539_316, 16_522_925_792_563_440_959, 8_393_315_421_162_401_836,
  ]

  /// Keys that are boundaries of different levels, in two indexes.
  private static let fewKeys: [[UInt8]] = {
    let boundaries = StretchBoundaries(firstBits: 1, nextBits: 1)
    var keys: [[UInt8]] = []
    for (tag, levelCounts) in [(UInt8(1), [0, 1, 2, 3]), (2, [2, 0])] {
      var number: UInt8 = 0
      for levelCount in levelCounts {
        repeat { number += 1 } while boundaries.levelCount(of: [0, tag, number].rawSpan) != levelCount
        keys.append([0, tag, number])
      }
    }
    return keys
  }()

  @Test func everyChangeOfFewKeysGivesTheCountsOfTheNewKeys() throws {
    let table = try CountTable(StretchBoundaries(firstBits: 1, nextBits: 1))
    let subsets = (0..<64).map { bits in
      Set(Self.fewKeys.indices.filter { bits & (1 << $0) != 0 }.map { Self.fewKeys[$0] })
    }
    for (number, old) in subsets.enumerated() where Rounds.include(number) {
      for new in subsets {
        try table.change(to: old)
        try table.change(to: new)
        try table.checkRows()
      }
      try table.change(to: old)
      for tag in 1...3 { try table.checkRanks(DaybookModel.Tag(UInt16(tag))) }
    }
  }

  @Test func randomChangesGiveTheCountsOfTheNewKeys() throws {
    try SeededRandom.run(Rounds.of(70)) { random in
      let boundaries = StretchBoundaries(firstBits: random.number(0...4), nextBits: random.number(1...3))
      let (kept, rebuilt) = (try CountTable(boundaries), try CountTable(boundaries))
      let pool = (0..<random.number(1...300)).map { _ in Self.key(&random) }
      for _ in 0..<12 {
        let share = random.pick([1, 10, 60])
        let changed = pool.filter { _ in random.isTrue(percent: share) }
        let deleted = random.pick([0, 30, 50, 100])
        let removed = Set(changed.filter { _ in random.isTrue(percent: deleted) })
        try kept.flush(putting: changed.filter { !removed.contains($0) }, deleting: removed)
        try kept.checkRows()
      }
      for tag in 1...4 { try kept.checkRanks(DaybookModel.Tag(UInt16(tag))) }
      // One pass over all keys gives the same rows.
      try rebuilt.flush(putting: kept.keys)
      try rebuilt.checkRows()
    }
  }

  @Test func thousandsOfEntriesHaveStretchesOfTheExpectedSize() throws {
    var random = SeededRandom(seed: 5)
    let table = try CountTable(.standard)
    let keys = (0..<20_000).map { _ in
      Array(Self.key(&random).prefix(20)) + [UInt8](repeating: 7, count: random.number(8...20))
    }
    for start in stride(from: 0, to: keys.count, by: 4_000) { try table.flush(putting: keys[start..<(start + 4_000)]) }
    let rows = try table.rows()
    let lowest = rows.count { $0.key[0] == 0 }
    // The indexes have fewer entries than keys were made, as some keys are the same.
    let expected = table.keys.count / 512
    #expect((expected / 2...expected * 2).contains(lowest), "\(lowest) stretches")
    #expect(rows.count { $0.key[0] == 1 } < lowest / 4)
    try table.checkRows()
    try table.flush(putting: [[UInt8]](), deleting: keys)
    #expect(try table.rows().isEmpty)
  }

  @Test func aHashIsTheSameForAllTime() {
    // The values are part of the format.
    let keys: [[UInt8]] = [[], [0, 1], Array(0..<8), Array(0..<43)]
    let hashes = keys.map { StretchBoundaries.hash(of: $0.rawSpan) }
    #expect(hashes == Self.hashes)
    // A longer key has no row.
    let all = StretchBoundaries(firstBits: 0, nextBits: 1)
    let levelCounts = [510, 511].map { all.levelCount(of: [UInt8](repeating: 1, count: $0).rawSpan) }
    #expect(levelCounts[0] > 0)
    #expect(levelCounts[1] == 0)
  }

  /// Each row that is lost or changed gives an error or the right rank: never a crash, and never a wrong write.
  @Test func contradictingCountsAreDamage() throws {
    try SeededRandom.run(Rounds.of(20)) { random in
      let table = try CountTable(StretchBoundaries(firstBits: 1, nextBits: 1))
      try table.flush(putting: (0..<40).map { _ in Self.key(&random) })
      let sound = try table.rows()
      let zeros = [UInt8](repeating: 0, count: 16)
      let keys = table.keys.sorted(by: precedes)
      for row in sound {
        try table.write { transaction in
          switch random.number(0...2) {
          case 0: _ = try transaction.delete(row.key.rawSpan, in: table.tables.counts)
          case 1: try transaction.put(row.key.rawSpan, zeros.rawSpan, in: table.tables.counts)
          default: try transaction.put(row.key.rawSpan, Array(row.value.dropLast()).rawSpan, in: table.tables.counts)
          }
        }
        try table.read { snapshot in
          for key in keys {
            let reader = CountReader(DaybookModel.Tag(UInt16(key[1])), of: table.tables, in: snapshot)
            Self.expectDamage { _ = try reader.count(before: key) }
            Self.expectDamage { _ = try reader.makeCursor(at: keys.count { $0[1] == key[1] && $0 < key }) }
          }
        }
        var transaction = try table.beginWrite()
        let changes = MemoryTable()
        for key in keys where random.isTrue(percent: 30) { changes.delete(key) }
        for _ in 0..<5 { changes.put(Self.key(&random)) }
        Self.expectDamage { try transaction.flush(changes, into: .indexes, of: table.tables) }
        transaction.abort()
        try table.write { try $0.put(row.key.rawSpan, row.value.rawSpan, in: table.tables.counts) }
      }
      try table.checkRows()
    }
  }

  /// Runs a body that may throw nothing but an error of damage.
  private static func expectDamage(_ body: () throws -> Void) {
    do { try body() } catch { #expect((error as? LMDBError)?.isDamage == true, "\(error)") }
  }

  /// Makes a key of one of a few indexes; some keys have the size of a key that was cut.
  private static func key(_ random: inout SeededRandom) -> [UInt8] {
    let size = random.isTrue(percent: 10) ? 509 : random.number(1...20)
    return [0, UInt8(random.number(1...3))] + (0..<size).map { _ in UInt8(random.pick([0, 1, 255])) }
  }
}

private func < (a: [UInt8], b: [UInt8]) -> Bool { precedes(a, b) }
