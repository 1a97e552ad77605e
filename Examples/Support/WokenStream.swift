import DaybookMacros
import DaybookServer
import Hummingbird
import ServiceLifecycle

/// A stream of which nothing is queued: a wake makes it compute what is new, so several changes may become one event.
struct WokenStream: Sendable {
  private let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation

  /// A comment keeps proxies awake, and finds out that a client has left.
  private static let commentInterval = Duration.seconds(15)

  /// Makes a stream that is awake.
  init() {
    (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    wake()
  }

  func wake() { waker.yield() }

  func end() { waker.finish() }

  /// Writes what is new after each wake, until the stream ends.
  ///
  /// - Parameters:
  ///   - follow: Wakes the stream as commits are made. The stream ends with it: a store that cannot be followed makes the
  ///     page connect again, which reports what is wrong.
  ///   - news: Returns the events since the last call; empty for none, which writes a comment.
  /// - Throws: What `news` throws; the error of a connection that is broken.
  func run(
    to writer: inout any ResponseBodyWriter, for request: ServerRequest,
    following follow: @escaping @Sendable () async throws -> Void, news: @escaping @Sendable () throws -> String
  ) async throws {
    let follower = Task(executorPreference: ThreadPoolExecutor.shared) {
      defer { end() }
      try await follow()
    }
    let keeper = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: WokenStream.commentInterval)
        wake()
      }
    }
    defer {
      follower.cancel()
      keeper.cancel()
    }
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        for await _ in wakes {
          let text = try await request.blocking { try news() }
          try await writer.write(ByteBuffer(string: text.isEmpty ? ":\n\n" : text))
        }
      } onGracefulShutdown: {
        end()
      }
    } onCancel: {
      end()
    }
  }
}
