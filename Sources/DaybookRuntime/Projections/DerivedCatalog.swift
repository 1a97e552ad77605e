import DaybookEngine
import DaybookModel
import LMDB

/// Tables of derived entities that this process has not opened yet: a snapshot cannot use tables that are opened after it
/// began.
struct UnopenedTables: Error, Equatable {
  let projection: String
  let names: [String]
}

/// What reads the derived entities of one projection: the model with them, and their tables.
final class DerivedCatalog: Sendable {
  let projection: String
  let instance: ProjectionRecord.Instance
  /// The model of the store, without the entities.
  let stored: ResolvedModel
  let model: ResolvedModel
  let dependents: Dependents
  let tables: BuiltInTables
  let changes: Table

  /// - Parameter tables: The tables, in the order of ``ProjectionRecord/derivedTableNames(of:_:)``.
  /// - Throws: `ModelError` if the model of the store does not allow the entities.
  init(
    _ projection: String, _ instance: ProjectionRecord.Instance, _ derived: DerivedModel, in stored: ResolvedModel,
    tables: [Table]
  ) throws {
    self.projection = projection
    self.instance = instance
    self.stored = stored
    model = try stored.adding([derived])
    dependents = Dependents(model)
    self.tables = BuiltInTables(Array(tables.dropLast()))
    changes = tables[tables.count - 1]
  }

  /// Whether it reads the rows of an instance by a model of the store.
  func matches(_ other: ProjectionRecord.Instance, in model: ResolvedModel) -> Bool {
    stored === model && instance.generation == other.generation && instance.derived == other.derived
  }
}
