import DaybookEngine
import DaybookModel
import LMDB

/// Compares the derived rows of a projection with what its recorded changes add up to, without its code.
///
/// The stored events and the changes are folded together from the first commit into temporary tables, as a reader of the
/// past folds them back. So rows, links, indexes, counts and changes agree, or a difference is reported.
struct DerivedRowsCheck {
  let subject: ProjectionsCheck
  /// The name of the projection.
  let name: String
  let instance: ProjectionRecord.Instance
  let derived: DerivedModel
  /// What the rows follow from.
  let scope: UserProjectionsCheck.Scope
  /// The memory that changes take before they are written into the temporary tables, in bytes.
  let memoryLimit: Int
  let progress: ((StoreProgress) -> Void)?

  private var location: String { "projection \(name)" }

  /// Checks the rows.
  ///
  /// - Returns: The number of compared rows.
  func run() throws -> Int {
    let checkpoint = instance.checkpoint.position
    let tables = ProjectionRecord.derivedTableNames(of: name, instance).compactMap { subject.tables[$0] }
    // The check of the rows reports a missing table.
    guard tables.count == TableName.allCases.count + 1, let changes = tables.last else { return 0 }
    do {
      let model = try scope.model.adding([derived])
      try checkEnds(of: changes)
      return checkpoint > .empty ? try compare(tables, changes, by: model) : 0
    } catch let error as ModelError {
      subject.faults.report(.projections, location, "the model of the store does not allow its entities: \(error)")
    } catch let error as ProjectionFault {
      subject.faults.report(.projections, "\(location), table changes", error.description)
    } catch let error as MalformedBytes {
      subject.faults.report(.projections, "\(location), table changes", "it cannot be read: \(error)")
    } catch let error as LMDBError where error.kind == .checksumMismatch {
      // The check of the rows reports it.
    }
    return 0
  }

  /// Checks that the changes are of commits that the projection has applied.
  private func checkEnds(of changes: Table) throws {
    var cursor = try subject.snapshot.makeCursor(in: changes)
    func report() {
      subject.faults.report(
        .projections, "\(location), table changes, \(TableComparison.rowName(cursor.key))",
        "it is of no commit that the projection has applied")
    }
    if try cursor.moveToFirst(), compareBytes(cursor.key, DerivedChanges.key(of: 1).rawSpan) < 0 { report() }
    let last = DerivedChanges.key(of: instance.checkpoint.position)
    if try cursor.moveToLast(), compareBytes(cursor.key, last.rawSpan) > 0 { report() }
  }

  private func compare(_ tables: [Table], _ changes: Table, by model: ResolvedModel) throws -> Int {
    let storage = try TemporaryStorage(prefix: "daybook-verify")
    defer { storage.remove() }
    return try storage.withTables { try compare(tables, changes, by: model, with: $0, &$1) }
  }

  private func compare(
    _ tables: [Table], _ changes: Table, by model: ResolvedModel, with folded: BuiltInTables,
    _ transaction: inout WriteTransaction
  ) throws -> Int {
    try fold(changes, into: folded, by: model, &transaction)
    var comparison = TableComparison(
      subject: subject, folded: transaction.snapshot, faults: subject.faults, progress: progress)
    var start: [UInt8] = []
    start.appendFixed(derived.tags.lowerBound)
    var rowCount = 0
    for (table, name) in zip(tables, TableName.allCases) {
      // The folded tables have the stored objects and links too, whose tags are lower, and no rows of their indexes.
      let hasStoredRows = name == .objects || name == .links
      rowCount = try comparison.compare(
        "\(location), table \(name.name)", table, with: folded[name], expectingFrom: hasStoredRows ? start : nil
      ) { TableComparison.describe(name, $0, by: model) }
    }
    return rowCount
  }

  private func fold(
    _ changes: Table, into tables: BuiltInTables, by model: ResolvedModel, _ transaction: inout WriteTransaction
  ) throws {
    let journal = subject.findings.journal.adding(
      scope.changes + [DerivedChanges(changes, in: subject.snapshot, of: name, from: instance.firstKept)])
    let catalog = Catalog(modelPosition: 1, model: model, generations: [], tables: tables)
    let builder = TableBuilder(
      journal: journal, head: instance.checkpoint.position, catalog: catalog, memoryLimit: memoryLimit,
      progress: StoreProgress.reporter(progress))
    let layer = Layer()
    let reader = catalog.reader(over: transaction.snapshot, layers: [layer])
    let found = FaultList()
    var check = EventCheck(model: model, faults: found)
    _ = try builder.foldEvents(from: 1, reader, layer, &transaction) { commit, fold in
      try apply(commit, to: fold, &check)
      return !found.isFull
    }
    for fault in found.faults {
      subject.faults.report(.projections, "\(location), table changes, \(fault.place)", fault.message)
    }
    try builder.buildIndexes(reader, layer, &transaction, tagged: derived.tags)
  }

  /// Applies the events of a commit, after which only events of derived entities may follow.
  ///
  /// Events of the projection's entities are compared with the state before them, because readers of the past undo them.
  private func apply(_ commit: CommitView, to fold: Fold, _ check: inout EventCheck) throws {
    let header = commit.header
    var (events, number) = (commit.events, 0)
    check.beginCommit(at: header.position, model: check.model)
    while !events.isAtEnd {
      let event = try events.next()
      number += 1
      if number > header.eventCount {
        if derived.tags.contains(event.entity.number) {
          try check.check(event, fold)
        } else if event.entity.number < Tag.firstDerived || scope.model.entity(tagged: event.entity) == nil {
          throw ProjectionFault("the changes at commit \(header.position) are of an entity that the projection lacks")
        }
      }
      try fold.apply(event, position: header.position, time: header.time, direction: .forward)
    }
  }
}
