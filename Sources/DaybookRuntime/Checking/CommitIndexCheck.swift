import DaybookEngine
import DaybookModel
import LMDB

/// Compares the index of the journal with the rows that the commits give, block by block.
struct CommitIndexCheck {
  let subject: ProjectionsCheck
  let progress: ((StoreProgress) -> Void)?

  /// Compares all rows and returns their number.
  ///
  /// A store that has no index yet has no faults in it. The journal must be sound.
  func run() throws -> Int {
    guard let state = try readState() else { return 0 }
    guard let table = subject.tables[CommitIndexRow.tableName] else {
      if state.blockCount > 0 { report("it is missing") }
      return 0
    }
    let total = CommitBlock.count(in: subject.state?.checkpoint.position ?? .empty)
    guard state.blockCount <= total else {
      report("it says that it has \(state.blockCount) blocks, but the projections have folded \(total)")
      return 0
    }
    var indexer = CommitIndexer()
    var rowCount = 0
    var number: UInt64 = 0
    while number < state.blockCount, !subject.faults.isFull {
      for row in try indexer.rows(of: CommitBlock(number), in: subject.findings.journal) {
        try compare(row, in: table, of: number)
        rowCount += 1
      }
      number += 1
      if number % 256 == 0 {
        progress?(StoreProgress(activity: "checking the commit index", completed: number, total: total, unit: "blocks"))
      }
    }
    let count = try subject.snapshot.entryCount(in: table)
    if number == state.blockCount, count > rowCount {
      report("it has \(count - rowCount) rows that the journal does not give")
    }
    return rowCount
  }

  /// What was found under a key.
  private enum FoundRow {
    case missing, damaged
    case value([UInt8])
  }

  private func find(_ key: [UInt8], in table: Table) throws -> FoundRow {
    let value: RawSpan?
    do {
      value = try subject.snapshot.value(for: key, in: table)
    } catch {
      guard error.kind == .checksumMismatch else { throw error }
      return .damaged
    }
    guard let value else { return .missing }
    return .value([UInt8](value))
  }

  private func readState() throws -> CommitIndexState? {
    guard let table = subject.tables[BuiltInTablesState.tableName] else { return nil }
    switch try find(CommitIndexState.key, in: table) {
    case .missing: return nil
    case .value(let bytes): return CommitIndexState(bytes.rawSpan)
    case .damaged: return nil  // The check of the rows reports it.
    }
  }

  private func compare(_ row: (key: [UInt8], value: [UInt8]), in table: Table, of block: UInt64) throws {
    let place = "row \(hexadecimalText(of: row.key.rawSpan)) of block \(block)"
    switch try find(row.key, in: table) {
    case .missing: report("\(place) is missing")
    case .damaged: report("\(place) differs from what was written")
    case .value(let value): if value != row.value { report("\(place) differs from what the journal gives") }
    }
  }

  private func report(_ what: String) {
    subject.faults.report(.projections, "table \(CommitIndexRow.tableName)", what)
  }
}
