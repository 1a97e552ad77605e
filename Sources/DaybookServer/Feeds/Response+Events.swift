import Hummingbird

extension Response {
  /// Creates an answer with a stream of server-sent events.
  ///
  /// - Parameters:
  ///   - request: The request that it answers.
  ///   - write: Writes the events, and returns when the stream ends.
  ///   - onLeave: Called when the client has left: `write` must return soon.
  package static func events(
    answering request: ServerRequest, _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void,
    onLeave: @escaping @Sendable () -> Void
  ) -> Response {
    let (body, logger) = (request.request.body, request.context.logger)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
      body: ResponseBody { writer in
        // The writer is a variable of the caller, and a stream writes it in several places.
        var output = writer
        do {
          // A client that leaves ends the wait for news.
          try await body.consumeWithInboundCloseHandler { _ in
            try await write(&output)
          } onInboundClosed: {
            onLeave()
          }
        } catch {
          // The headers are sent: the stream can only say what is wrong, and end.
          logger.debug("stream ended", metadata: ["error": "\(error)"])
          if let problem = Problem.translating(error, in: .url) {
            try await output.write(FeedEvent.problem(problem))
          }
        }
        try await output.finish(nil)
      })
  }
}
