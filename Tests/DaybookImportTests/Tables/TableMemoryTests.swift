#if Import

import DaybookModel
import DaybookTestSupport
import Foundation
import GRDB
import Testing

@testable import DaybookImport

/// The memory of reading a large file, which is measured where nothing else runs:
/// `DAYBOOK_MEMORY=1 swift test --no-parallel --filter TableMemoryTests`.
@Suite(
  .hangLimit, .serialized,
  .enabled(if: ProcessInfo.processInfo.environment["DAYBOOK_MEMORY"] != nil, "DAYBOOK_MEMORY is not set"))
struct TableMemoryTests {
  /// The resident memory of the process in KiB.
  private func resident() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
  }

  /// Expects that a closure, which is called with the number of units, needs as much memory for many as for few.
  private func compare(_ few: Int, _ many: Int, _ body: (Int) throws -> Int) throws {
    _ = try body(few)
    let before = try resident()
    _ = try body(many)
    let growth = try resident() - before
    print("\(many) units: \(growth) KiB more")
    #expect(growth < 8 << 10)
  }

  @Test
  func `a large CSV file and a large line of JSON take no more memory than small ones`() throws {
    try compare(10_000, 300_000) { count in
      try CSVTable { MadeText(count, "a,b\n", "1,\"some text \u{e9}\"\n", "") }.rowCount
    }
    try compare(10_000, 300_000) { count in
      try JSONTable(entity: "T") { MadeText(count, "[", "{\"a\": 1, \"b\": \"some text\"},", "{}]") }.entity.rowCount
    }
  }

  @Test
  func `a table of SQLite takes the same memory in each reading`() throws {
    let directory = try TemporaryDirectory()
    let queue = try DatabaseQueue(path: directory.path("file"))
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE t (k INTEGER PRIMARY KEY, text TEXT, t_id REFERENCES t);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
            INSERT INTO t SELECT i, hex(randomblob(50)), 1 FROM n;
          """)
    }
    try queue.close()
    try compare(1, 2) { count in
      let source = try SQLiteSource(path: directory.path("file"))
      var total = 0
      for _ in 1..<count {
        try source.forEachObject(of: "t") { _ in total += 1 }
        _ = try source.forEachLink(of: SourceField("t", "t")) { _ in total += 1 }
      }
      return total
    }
  }
}

/// A text that is made while it is read.
private struct MadeText: ImportByteSource {
  private var rest: Int
  private var pending: [UInt8]
  private let unit: [UInt8]
  private let end: [UInt8]
  private var isEnded = false

  init(_ count: Int, _ start: String, _ unit: String, _ end: String) {
    rest = count
    pending = Array(start.utf8)
    self.unit = Array(unit.utf8)
    self.end = Array(end.utf8)
  }

  mutating func read(upTo size: Int) -> [UInt8] {
    var bytes = pending
    pending = []
    while rest > 0, bytes.count + unit.count < size {
      bytes += unit
      rest -= 1
    }
    if rest == 0, !isEnded {
      bytes += end
      isEnded = true
    }
    return bytes
  }
}

#endif
