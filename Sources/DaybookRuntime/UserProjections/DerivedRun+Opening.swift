import DaybookEngine
import DaybookModel
import LMDB

extension DerivedRun {
  /// Opens the tables of an instance, which are made if it has no commit yet.
  convenience init(
    of name: String, _ instance: ProjectionRecord.Instance, in model: ResolvedModel,
    _ transaction: inout WriteTransaction, journal: LMDBJournal, models: ModelHistory
  ) throws {
    var tables: [Table] = []
    for table in ProjectionRecord.derivedTableNames(of: name, instance) {
      guard let opened = try transaction.openTable(table, create: instance.checkpoint.position == .empty) else {
        throw StoreError(missingTable: table, of: name)
      }
      tables.append(opened)
    }
    try self.init(instance.derived, in: model, tables: tables, transaction.snapshot, journal: journal, models: models)
  }
}
