import DaybookTestSupport
import Foundation
import Testing

@testable import LMDB

/// Rows in sorted runs on disk, merged and compared with the sorted rows.
@Suite(.hangLimit) struct SortedRunsTests {
  private struct Row: Equatable, Comparable {
    let key: [UInt8]
    let value: [UInt8]

    static func < (left: Row, right: Row) -> Bool { precedes(left.key, right.key) }
  }

  private func merged(_ runs: SortedRuns, limitInBytes: Int = 1 << 20) throws -> [Row] {
    var rows: [Row] = []
    try runs.merge(limitInBytes: limitInBytes) { key, value in
      rows.append(
        Row(key: key.withUnsafeBytes { Array($0) }, value: value.withUnsafeBytes { Array($0) }))
    }
    return rows
  }

  private func append(_ rows: [Row], to runs: SortedRuns) throws {
    let table = MemoryTable()
    for row in rows { table.put(row.key.span.bytes, row.value.span.bytes) }
    try runs.append(table)
  }

  @Test(arguments: [0, 1 << 12, 1 << 20]) func aMergeHasAllRowsInOrder(limitInBytes: Int) throws {
    let directory = TemporaryDirectory()
    try Seeds.run(20) { seed in
      var random = SeededRandom(seed: seed)
      var keys: Set<[UInt8]> = []
      let runs = SortedRuns(in: directory.path)
      var all: [Row] = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        var rows: [Row] = []
        for _ in 0..<Int.random(in: 0...200, using: &random) {
          // Few different bytes, so that keys share prefixes and some are prefixes of others.
          let key = (0..<Int.random(in: 1...24, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random) }
          guard keys.insert(key).inserted else { continue }
          // A value may be larger than what is read ahead.
          let size = Int.random(in: 0...100, using: &random) == 0 ? 10_000 : Int.random(in: 0...30, using: &random)
          rows.append(Row(key: key, value: (0..<size).map { UInt8(truncatingIfNeeded: $0) }))
        }
        try append(rows, to: runs)
        all += rows
      }
      #expect(runs.isEmpty == all.isEmpty)
      #expect(try merged(runs, limitInBytes: limitInBytes) == all.sorted())
      #expect(runs.isEmpty)
      #expect(try merged(runs).isEmpty)
    }
  }

  @Test func runsCanBeMadeAgainAfterAMerge() throws {
    let directory = TemporaryDirectory()
    let runs = SortedRuns(in: directory.path)
    for round in UInt8(0)..<3 {
      let rows = [Row(key: [round], value: [1]), Row(key: [round, 1], value: [])]
      try append(rows, to: runs)
      #expect(try merged(runs) == rows)
    }
  }

  @Test func theFileHasNoName() throws {
    let directory = TemporaryDirectory()
    let runs = SortedRuns(in: directory.path)
    try append([Row(key: [1], value: [])], to: runs)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test func aMissingDirectoryIsReported() throws {
    let directory = TemporaryDirectory()
    let runs = SortedRuns(in: directory.path + "/none")
    let error = #expect(throws: LMDBError.self) { try append([Row(key: [1], value: [])], to: runs) }
    #expect(error?.operation == .writeFile)
  }

  @Test func anErrorOfTheClosureEndsTheMerge() throws {
    struct Stop: Error {}
    let directory = TemporaryDirectory()
    let runs = SortedRuns(in: directory.path)
    try append([Row(key: [1], value: []), Row(key: [2], value: [])], to: runs)
    var count = 0
    #expect(throws: Stop.self) {
      try runs.merge(limitInBytes: 1) { _, _ in
        count += 1
        throw Stop()
      }
    }
    #expect(count == 1)
  }
}
