import Daybook
import Logging
import NIOPosix

/// What the routes of a server have in common.
final class ServerState: Sendable {
  let store: Store
  let configuration: ServerConfiguration
  let logger: Logger
  /// The threads that read and write the store, so that a slow request blocks no other connection.
  private let threads = NIOThreadPool.singleton

  init(store: Store, configuration: ServerConfiguration, logger: Logger) {
    self.store = store
    self.configuration = configuration
    self.logger = logger
  }

  /// Runs work that may block, on a thread of its own.
  func blocking<Result: Sendable>(_ body: @escaping @Sendable (Store) throws -> Result) async throws -> Result {
    try await threads.runIfActive { [store] in try body(store) }
  }
}
