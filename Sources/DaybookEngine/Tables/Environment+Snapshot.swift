import LMDB

extension Environment {
  /// Calls `body` with the snapshot of a read transaction, which ends with the call.
  package func withSnapshot<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    let transaction = try beginRead()
    let result: Result
    do {
      result = try body(transaction.snapshot)
    } catch {
      transaction.end()
      throw error
    }
    transaction.end()
    return result
  }
}
