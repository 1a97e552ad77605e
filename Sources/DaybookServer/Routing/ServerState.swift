import Daybook
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import WorkLimits

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

  /// Runs work that may block, on a thread of its own, within the time that one answer may take to make.
  ///
  /// The work also ends when the client has left.
  ///
  /// - Parameter request: The request that waits for it.
  /// - Throws: `Problem` with the status 503 if the time is over; what `body` throws.
  func blocking<Result: Sendable>(
    for request: ServerRequest, _ body: @escaping @Sendable (Store) throws -> Result
  ) async throws -> Result {
    let (limit, channel) = (configuration.fetchTimeLimit, request.context.channel)
    // A test's channel never was.
    let wasActive = channel.isActive
    let end = Locked<ContinuousClock.Instant?>(nil)
    return try await withGracefulShutdownHandler {
      try await threads.runIfActive { [store] in
        let isCancelled = { @Sendable in
          wasActive && !channel.isActive || end.withLock { $0 }.map { ContinuousClock.now > $0 } ?? false
        }
        return try ServerState.within(limit, isCancelled: isCancelled) { try body(store) }
      }
    } onGracefulShutdown: {
      end.withLock { $0 = .now + ServerState.shutdownTimeLimit }
    }
  }

  /// How long work may continue after a shutdown has begun, so that the server ends within 10 s.
  private static let shutdownTimeLimit = Duration.seconds(5)

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
      case is CancellationError: throw Problem(.serviceUnavailable, "The server ends, or the client has left.")
      default: throw error
      }
    }
  }
}
