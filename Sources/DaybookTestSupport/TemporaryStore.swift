import Daybook
import DaybookModel

/// Runs a test on a store in a temporary directory, which is verified as it closes.
///
///     try withTemporaryStore(recipes) { store in
///       let cake = try store.write { try $0.insert("Recipe", ["name": "Cake"]) }
///       #expect(try store.get(cake)?["name"] == "Cake")
///     }
///
/// When the body returns, the store is closed and every check of `StoreVerification` is made: the journal's chain, each
/// event against the state before it, and every row of the projections against what the journal gives.
///
/// - Parameters:
///   - model: What the store begins with.
///   - options: How it is opened.
///   - body: The test. It may close the store.
/// - Returns: What `body` returned.
/// - Throws: What `body` throws; ``Mismatch`` with the faults that were found.
@discardableResult
public func withTemporaryStore<Result>(
  _ model: Model, options: StoreOptions = StoreOptions(), _ body: (Store) throws -> Result
) throws -> Result {
  let directory = try TemporaryDirectory()
  let path = directory.path("store")
  let store = try Store(at: path, model: model, options: options)
  defer { store.close() }
  let result = try body(store)
  try closeAndVerify(store)
  return result
}

/// Runs an asynchronous test on a store in a temporary directory, which is verified as it closes.
@discardableResult
public func withTemporaryStore<Result>(
  _ model: Model, options: StoreOptions = StoreOptions(), _ body: (Store) async throws -> Result
) async throws -> Result {
  let directory = try TemporaryDirectory()
  let path = directory.path("store")
  let store = try Store(at: path, model: model, options: options)
  defer { store.close() }
  let result = try await body(store)
  try closeAndVerify(store)
  return result
}

/// Closes a store and makes every check of `StoreVerification`.
///
/// - Throws: ``Mismatch`` with the faults that were found.
public func closeAndVerify(_ store: Store) throws {
  store.close()
  let faults = try StoreVerification.verify(storeAt: store.path).faults
  guard faults.isEmpty else {
    throw Mismatch(
      "The store has \(faults.count) faults:\n" + faults.prefix(10).map { "\($0)" }.joined(separator: "\n"))
  }
}
