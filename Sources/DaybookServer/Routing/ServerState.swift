#if Server

import Daybook
import Hummingbird
import Logging
import WorkLimits

/// What the routes of a server have in common.
final class ServerState: Sendable {
  let store: Store
  let configuration: ServerConfiguration
  let logger: Logger

  init(store: Store, configuration: ServerConfiguration, logger: Logger) {
    self.store = store
    self.configuration = configuration
    self.logger = logger
  }

  /// Whether the build imports files.
  static var importsFiles: Bool {
    #if Import
    true
    #else
    false
    #endif
  }

  /// Reads or writes the store as ``ServerRequest/blocking(_:)`` runs work.
  func blocking<Result: Sendable>(
    for request: ServerRequest, _ body: @escaping @Sendable (Store) throws -> Result
  ) async throws -> Result {
    try await request.blocking { [store] in try body(store) }
  }

  /// Calls a closure within the time that one answer, or one event of a stream, may take to make.
  ///
  /// - Throws: `Problem` with the status 503 if the time is over, or no client waits for the answer; what `body` throws.
  static func within<Result>(
    _ limit: Duration, isCancelled: @escaping @Sendable () -> Bool, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try WorkLimit.$current.withValue(WorkLimit(limit, isCancelled: isCancelled), operation: body)
    } catch {
      switch StoreError.translating(error) {
      case let error as StoreError where error.code == .timedOut:
        throw Problem(
          .serviceUnavailable, "The answer took longer than \(limit.components.seconds) s to make.",
          advice: "Ask for less: a filter that an index serves, fewer rows, or a position nearer to the head.",
          retryAfter: 10)
      case is CancellationError:
        throw Problem(.serviceUnavailable, "The server ends, or the client has left.", retryAfter: 10)
      default: throw error
      }
    }
  }
}

#endif
