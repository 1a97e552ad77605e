import DaybookEngine
import DaybookModel
import LMDB

/// Compares the store's tables with freshly folded ones, row by row.
struct TableComparison {
  let subject: ProjectionsCheck
  let folded: TransactionSnapshot
  let faults: FaultList
  let progress: ((StoreProgress) -> Void)?
  private var rowCount = 0

  /// The most differences that are listed for a table.
  private static let maximumCount = 20

  init(subject: ProjectionsCheck, folded: TransactionSnapshot, faults: FaultList, progress: ((StoreProgress) -> Void)?)
  {
    self.subject = subject
    self.folded = folded
    self.faults = faults
    self.progress = progress
  }

  /// Compares all tables and returns the number of rows.
  mutating func run(_ tables: BuiltInTables) throws -> Int {
    guard let state = subject.state else { return 0 }
    for name in TableName.allCases {
      guard let table = subject.tables[state.tableName(name)] else { continue }
      let model = subject.findings.model(at: state.checkpoint.position)?.model
      try compare("table \(name.name)", table, with: tables[name]) { TableComparison.describe(name, $0, by: model) }
    }
    return rowCount
  }

  /// Compares two tables, the one in the store and the folded one.
  ///
  /// - Parameters:
  ///   - label: The location of faults.
  ///   - expectedStart: The first key of the folded table that the store's table should have; `nil` for the first one that
  ///     there is.
  ///   - describe: Returns the name of a row by its key.
  /// - Returns: The number of rows compared so far.
  @discardableResult
  mutating func compare(
    _ label: String, _ table: Table, with expected: Table, expectingFrom expectedStart: [UInt8]? = nil,
    describe: (RawSpan) -> String
  ) throws -> Int {
    let total = UInt64(clamping: try folded.entryCount(in: expected))
    var found = try subject.snapshot.makeCursor(in: table)
    var wanted = try folded.makeCursor(in: expected)
    var isDamaged = false
    var hasFound = try TableComparison.isAtRow(&isDamaged) {
      try found.moveToFirst()
    }
    var hasWanted = try expectedStart.map { try wanted.seek(atOrAfter: $0.rawSpan) } ?? wanted.moveToFirst()
    var differenceCount = 0
    while hasFound || hasWanted {
      let order = !hasFound ? 1 : !hasWanted ? -1 : compareBytes(found.key, wanted.key)
      if order != 0 || isDamaged || !equalBytes(found.value, wanted.value) {
        differenceCount += 1
        if differenceCount > Self.maximumCount {
          // Only counted.
        } else if order > 0 {
          report("\(label), \(describe(wanted.key))", order)
        } else {
          report("\(label), \(describe(found.key))", order)
        }
      }
      if order <= 0 { hasFound = try TableComparison.isAtRow(&isDamaged) { try found.moveToNext() } }
      if order >= 0 { hasWanted = try wanted.moveToNext() }
      rowCount += 1
      if rowCount % 65_536 == 0 {
        progress?(StoreProgress(activity: "comparing \(label)", completed: UInt64(rowCount), total: nil, unit: "rows"))
      }
    }
    if differenceCount > Self.maximumCount {
      faults.report(
        .projections, label, "\(differenceCount - Self.maximumCount) more rows of \(total) differ")
    }
    return rowCount
  }

  /// Moves to a row and records whether its checksum matches.
  ///
  /// A row with a wrong checksum counts as present.
  static func isAtRow(_ isDamaged: inout Bool, _ move: () throws -> Bool) throws -> Bool {
    isDamaged = false
    do {
      return try move()
    } catch let error as LMDBError where error.kind == .checksumMismatch {
      isDamaged = true
      return true
    }
  }

  private func report(_ location: String, _ order: Int) {
    let what =
      switch order {
      case 0: "it differs from what the journal gives"
      case ..<0: "the journal gives no such row"
      default: "it is missing"
      }
    faults.report(.projections, location, what)
  }

  /// Returns the name of a row: the entity and the identity of an object, where the model has the entity.
  static func describe(_ name: TableName, _ key: RawSpan, by model: ResolvedModel?) -> String {
    var reader = ByteReader(key)
    if name == .objects, let tag = try? reader.fixed(UInt16.self), let id = try? reader.objectID(), reader.isAtEnd,
      let model, let entity = model.entity(tagged: Tag(tag))
    {
      return "\(model.entities[entity].name) \(id)"
    }
    return rowName(key)
  }

  /// Returns the name of a row whose key has no other meaning here.
  static func rowName(_ key: RawSpan) -> String {
    let shown = key.byteCount > 64 ? key.extracting(first: 64) : key
    return "row \(hexadecimalText(of: shown))\(key.byteCount > 64 ? "..." : "")"
  }
}
