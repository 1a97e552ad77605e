#if Server

import DaybookModel
import Hummingbird
import NIOCore

extension Response {
  /// Creates an answer with a stream of server-sent events.
  ///
  /// The stream ends with the token or session of its request: nothing is written after that. The request must have no
  /// body.
  ///
  /// - Parameters:
  ///   - request: The request that it answers.
  ///   - write: Writes the events, and returns when the stream ends.
  ///   - onLeave: Called when the client has left, or may not read any more: `write` must return soon.
  package static func events(
    answering request: ServerRequest, _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void,
    onLeave: @escaping @Sendable () -> Void
  ) -> Response {
    let (body, context) = (request.request.body, request.context)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
      body: ResponseBody { writer in
        // The writer is a variable of the caller, and a stream writes it in several places.
        let last = writer
        var output: any ResponseBodyWriter = EventWriter(base: writer, credential: context.credential)
        let number = context.openStreams?.add(context.credential, end: onLeave)
        defer { if let number { context.openStreams?.remove(number) } }
        do {
          // A client that leaves ends the wait for news.
          try await body.consumeWithInboundCloseHandler { body in
            // Hummingbird ends the process if the end of the body has not arrived when the closure returns.
            for try await _ in body {}
            try await write(&output)
          } onInboundClosed: {
            onLeave()
          }
        } catch {
          // The headers are sent: the stream can only report what is wrong, and end.
          context.logger.debug("stream ended", metadata: ["error": "\(error)"])
          if context.credential.isValid, let problem = Problem.translating(error, in: .url) {
            problem.log(to: context.logger)
            try await output.write(FeedEvent.problem(problem))
          }
        }
        try await last.finish(nil)
      })
  }
}

/// Writes events as long as their reader may read them.
private struct EventWriter: ResponseBodyWriter {
  var base: any ResponseBodyWriter
  let credential: Credential

  mutating func write(_ buffer: ByteBuffer) async throws {
    try check()
    try await base.write(buffer)
  }

  mutating func write(contentsOf buffers: some Sequence<ByteBuffer>) async throws {
    try check()
    try await base.write(contentsOf: buffers)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await base.finish(trailingHeaders) }

  private func check() throws {
    guard credential.isValid else { throw Problem(.unauthorized, "The token or session has ended.") }
  }
}

#endif
