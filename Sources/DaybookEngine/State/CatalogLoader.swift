import DaybookModel
import LMDB

/// Makes the catalog of a state row: opens the tables that the row names, and reads their model.
package struct CatalogLoader {
  private let state: BuiltInTablesState
  private let model: (Position) throws -> ResolvedModel

  /// - Parameter model: Returns the model of the commit at a position.
  package init(_ state: BuiltInTablesState, model: @escaping (Position) throws -> ResolvedModel) {
    (self.state, self.model) = (state, model)
  }

  /// Opens the tables for the process, outside of a transaction.
  ///
  /// - Returns: The catalog, or `nil` if a table is missing because it was replaced since the row was read.
  /// - Throws: The errors of opening tables, and of reading the model.
  package func load(from environment: Environment) throws -> Catalog? {
    try BuiltInTables(state.tableNames, in: environment).map(catalog)
  }

  /// Opens the tables within a write.
  ///
  /// - Returns: The catalog, or `nil` if a table is missing.
  /// - Throws: The errors of opening tables, and of reading the model.
  package func load(in transaction: inout WriteTransaction) throws -> Catalog? {
    try BuiltInTables(state.tableNames, in: &transaction).map(catalog)
  }

  private func catalog(_ tables: BuiltInTables) throws -> Catalog {
    Catalog(
      modelPosition: state.modelPosition, model: try model(state.modelPosition), generations: state.generations,
      tables: tables)
  }
}
