import DaybookEngine
import LMDB

extension TemporaryStorage {
  /// Calls a closure with empty built-in tables in the storage, in a transaction that is never committed.
  func withTables<Result>(
    _ body: (BuiltInTables, inout WriteTransaction) throws -> Result
  ) throws -> Result {
    let environment = try Environment.open(at: path, options: EnvironmentOptions(maximumTables: 16, flush: .none))
    defer { environment.close() }
    var transaction = try environment.beginWrite()
    guard let tables = try BuiltInTables(TableName.allCases.map(\.name), in: &transaction, create: true) else {
      preconditionFailure("A table that is missing is created.")
    }
    return try body(tables, &transaction)
  }
}
