import DaybookModel
import DaybookQuery
import LMDB

/// The model and tables of a store that a process keeps between transactions.
package final class Catalog: Sendable {
  let modelPosition: Position
  package let model: ResolvedModel
  package let dependents: Dependents
  let generations: [UInt64]
  package let tables: BuiltInTables

  package init(modelPosition: Position, model: ResolvedModel, generations: [UInt64], tables: BuiltInTables) {
    self.modelPosition = modelPosition
    self.model = model
    self.generations = generations
    self.tables = tables
    dependents = Dependents(model)
  }

  package func matches(_ state: BuiltInTablesState) -> Bool {
    state.modelPosition == modelPosition && state.generations == generations
  }

  /// Returns the catalog of the same tables by another model.
  ///
  /// - Parameter position: The commit of the model.
  package func moved(to model: ResolvedModel, at position: Position) -> Catalog {
    Catalog(modelPosition: position, model: model, generations: generations, tables: tables)
  }

  /// Returns a reader of the tables as a transaction sees them.
  ///
  /// All readers come from here, or from a reader (``Reader/reading(_:by:)``).
  ///
  /// - Parameters:
  ///   - layers: The layers above the tables, the lowest first.
  ///   - largeValues: The source of large values; `nil` for a reader that returns no objects.
  ///   - plans: The plans of the store's last requests; `nil` for a reader whose requests are planned each time.
  package func reader(
    over snapshot: TransactionSnapshot, layers: [Layer] = [], largeValues: (any LargeValueSource)? = nil,
    plans: PlanCache? = nil
  ) -> Reader {
    Reader(
      snapshot: snapshot, tables: tables, model: model, layers: layers, largeValues: largeValues, plans: plans)
  }
}
