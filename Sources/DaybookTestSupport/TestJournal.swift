import Daybook
import DaybookModel
import Foundation

/// Where the stores of a test run keep their journals, if `DAYBOOK_TEST_JOURNAL` specifies it.
///
///     DAYBOOK_TEST_JOURNAL=nats://127.0.0.1:4222 Tools/test --filter LiveResultsTests
///
/// Then each store that a test makes through ``store(at:model:options:)`` or `withTemporaryStore` is
/// the first node of a stream of its own, and follows it; nothing else about the test changes. The value `memory` takes
/// servers in the memory of the process. A test executable that names servers of NATS has to register their library.
public enum TestJournal {
  private static let value = ProcessInfo.processInfo.environment["DAYBOOK_TEST_JOURNAL"]
  /// The servers in memory live as long as the process.
  private static let servers = Locked<[MemoryServer]>([])

  /// Returns the options of a store that is the first node of a stream that does not exist; the same options if journals
  /// are not replicated.
  ///
  /// - Throws: `StoreError` with the code `badRequest` for a variable that names no servers.
  public static func options(_ options: StoreOptions = StoreOptions()) throws -> StoreOptions {
    try newAddress().map { options.replicated(on: $0) } ?? options
  }

  private static func newAddress() throws -> JournalAddress? {
    guard let value else { return nil }
    if value == "memory" {
      let server = try MemoryServer()
      servers.withLock { $0.append(server) }
      return server.address
    }
    return try JournalAddress(parsing: "\(value)/t\(UInt64.random(in: .min ... .max))")
  }

  /// Makes a store, and opens it.
  ///
  /// - Throws: The errors of `Store.init(at:model:options:)`, and of replicating it.
  public static func store(at path: String, model: Model, options: StoreOptions = StoreOptions()) throws -> Store {
    let options = try self.options(options)
    guard options.journal?.address != nil else { return try Store(at: path, model: model, options: options) }
    return try Replication.create(at: path, model: model, options: options)
  }
}
