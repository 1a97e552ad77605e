import DaybookMacros
import DaybookModel
import DaybookServer
import Hummingbird
import ServiceLifecycle

/// The operation that sends the values of an application's streams.
///
/// Nothing is queued: commits wake the stream, and what they changed together becomes one value.
struct StreamRoute {
  private let application: Application
  private let store: Store

  /// A comment keeps proxies awake, and finds out that a client has left.
  private static let commentInterval = Duration.seconds(15)

  init(_ application: Application, _ store: Store) {
    (self.application, self.store) = (application, store)
  }

  var route: Route {
    Route(
      method: .get, path: "/streams/{stream}", summary: "Values that the application computes as commits are made.",
      parameters: [
        Parameter("stream", .text, "The name of the stream."),
        Parameter("input", .text, "What the stream is of, as a JSON object."),
      ], answers: [RouteAnswer(.ok, "text/event-stream", .text)]
    ) { [application, store] request in
      let name = request["stream"] ?? ""
      guard let stream = application.streams.first(where: { $0.name == name }) else {
        throw StoreError(.notFound, "There is no stream “\(name)”.")
      }
      let next = try stream.open(store, Input(JSONValue(parsing: request["input"] ?? "{}")))
      let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      return Response.events(answering: request) { writer in
        try await StreamRoute.run(next, in: store, wakes, waker, to: &writer, for: request)
      } onLeave: {
        waker.finish()
      }
    }
  }

  private static func run(
    _ next: @escaping @Sendable () throws -> String?, in store: Store, _ wakes: AsyncStream<Void>,
    _ waker: AsyncStream<Void>.Continuation, to writer: inout any ResponseBodyWriter, for request: ServerRequest
  ) async throws {
    let follower = Task(executorPreference: ThreadPoolExecutor.shared) {
      for try await _ in store.commits(from: try store.head()) { waker.yield() }
    }
    let keeper = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: commentInterval)
        waker.yield()
      }
    }
    defer {
      follower.cancel()
      keeper.cancel()
    }
    waker.yield()
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        for await _ in wakes {
          let value = try await request.blocking { try next() }
          try await writer.write(ByteBuffer(string: value.map { "event: report\ndata: \($0)\n\n" } ?? ":\n\n"))
        }
      } onGracefulShutdown: {
        waker.finish()
      }
    } onCancel: {
      waker.finish()
    }
  }
}
