import Daybook
import DaybookModel
import Foundation

/// Runs a test on a store in a temporary directory, and verifies the store at the end.
///
///     try withTemporaryStore(recipes) { store in
///       let cake = try store.write { try $0.insert("Recipe", ["name": "Cake"]) }
///       #expect(try store.get(cake)?["name"] == "Cake")
///     }
///
/// When the body returns, the store is closed and checked by `StoreVerification`: the journal's chain, each event
/// against the state before it, and every row of the projections against the journal.
///
/// - Parameters:
///   - model: The model of the store.
///   - options: The options for opening it.
///   - body: The test. It may close the store.
/// - Returns: The result of `body`.
/// - Throws: The errors of `body`; ``Mismatch`` with the faults found.
@discardableResult
public func withTemporaryStore<Result>(
  _ model: Model, options: StoreOptions = StoreOptions(), _ body: (Store) throws -> Result
) throws -> Result {
  let directory = try TemporaryDirectory()
  let path = directory.path("store")
  let store = try TestJournal.store(at: path, model: model, options: options)
  defer { store.close() }
  let result = try body(store)
  try closeAndVerify(store)
  return result
}

/// Runs an asynchronous test on a temporary store, and verifies the store at the end.
///
/// - Parameters:
///   - model: The model of the store.
///   - name: The name of the store's directory.
///   - options: The options for opening it.
///   - body: The test. It may close the store.
/// - Returns: The result of `body`.
/// - Throws: The errors of `body`; ``Mismatch`` with the faults found.
@discardableResult
public func withTemporaryStore<Result>(
  _ model: Model, named name: String = "store", options: StoreOptions = StoreOptions(),
  _ body: (Store) async throws -> Result
) async throws -> Result {
  let directory = try TemporaryDirectory()
  let path = directory.path(name)
  let store = try TestJournal.store(at: path, model: model, options: options)
  defer { store.close() }
  let result = try await body(store)
  try closeAndVerify(store)
  return result
}

/// Closes a store and runs every check of `StoreVerification`.
///
/// - Throws: ``Mismatch`` with the faults found.
public func closeAndVerify(_ store: Store) throws {
  store.close()
  let faults = try Store.verify(at: store.path).faults
  guard faults.isEmpty else {
    throw Mismatch(
      "The store has \(faults.count) faults:\n" + faults.prefix(10).map { "\($0)" }.joined(separator: "\n"))
  }
}

/// A directory for one test, removed when the object is released.
public final class TemporaryDirectory: Sendable {
  public let path: String

  /// Creates the directory.
  ///
  /// - Throws: The error of the file system.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("daybook-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    // A directory that a test has made unreadable remains; the system removes it.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns the path of a name in the directory.
  public func path(_ name: String) -> String { "\(path)/\(name)" }
}

/// A deviation from the expected state.
public struct Mismatch: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
