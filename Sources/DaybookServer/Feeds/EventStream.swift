import Daybook
import DaybookModel
import HTTPTypes
import Hummingbird

/// An answer that is a stream of events, with what all streams have in common: their end, their comments, and the position
/// of a store in which nothing happens to what they follow.
struct EventStream {
  let hub: FeedHub
  let followsJournal: Bool

  /// The time after which a silent stream sends a comment, and one after which it says where the head is.
  static let commentInterval = Duration.seconds(15)
  static let positionInterval = Duration.seconds(5)

  /// Answers a request with a stream.
  ///
  /// - Parameter run: Sends the events until the stream ends.
  /// - Throws: `Problem` with the status 503 if there are too many streams.
  func answer(
    _ request: ServerRequest, _ run: @escaping @Sendable (StreamSignal, inout EventSink) async throws -> Void
  ) throws -> Response {
    let signal = try hub.open(followsJournal: followsJournal)
    let body = request.request.body
    let logger = request.context.logger
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
      body: ResponseBody { [hub] writer in
        defer { hub.close(signal) }
        var sink = EventSink(writer: writer)
        do {
          // A client that leaves ends the wait for news.
          try await body.consumeWithInboundCloseHandler { _ in
            try await run(signal, &sink)
          } onInboundClosed: {
            signal.end()
          }
        } catch {
          // The headers are sent: the stream can only end. The client resumes, and is told what is wrong.
          logger.debug("stream ended", metadata: ["error": "\(error)"])
        }
        try await sink.writer.finish(nil)
      })
  }
}

/// Where a stream's events go.
struct EventSink {
  var writer: any ResponseBodyWriter
  /// When something was sent last.
  private(set) var lastSent = ContinuousClock.now

  init(writer: any ResponseBodyWriter) {
    self.writer = writer
  }

  /// Sends bytes; it returns when the connection takes more.
  mutating func send(_ bytes: ByteBuffer) async throws {
    try await writer.write(bytes)
    lastSent = .now
  }
}
