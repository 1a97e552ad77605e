#if Server

import DaybookModel
import NIOCore
import ServiceLifecycle
import WorkLimits

extension ServerRequest {
  /// How long work may continue after a shutdown has begun, so that the server ends within 10 s.
  private static let shutdownTimeLimit = Duration.seconds(5)

  /// Runs work that waits without blocking, whose parts observe the time that one answer may take to make.
  ///
  /// - Throws: What `body` throws.
  func limited<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await WorkLimit.$current.withValue(WorkLimit(timeLimit), operation: body)
  }

  /// Runs work that may block, on a thread for such work, within the time that one answer may take to make.
  ///
  /// A slow request blocks no other connection. The work also ends when the client has left.
  ///
  /// - Throws: `Problem` with the status 503 if the time is over; what `body` throws.
  package func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    let (limit, channel) = (timeLimit, context.channel)
    // A test's channel never was.
    let wasActive = channel.isActive
    let end = Locked<ContinuousClock.Instant?>(nil)
    return try await withGracefulShutdownHandler {
      try await ThreadPoolExecutor.run {
        let isCancelled = { @Sendable in
          wasActive && !channel.isActive || end.withLock { $0 }.map { ContinuousClock.now > $0 } ?? false
        }
        return try ServerState.within(limit, isCancelled: isCancelled, body)
      }
    } onGracefulShutdown: {
      end.withLock { $0 = .now + ServerRequest.shutdownTimeLimit }
    }
  }
}

#endif
