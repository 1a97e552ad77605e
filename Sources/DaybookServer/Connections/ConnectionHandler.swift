#if Server

import DaybookModel
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1

/// Keeps a connection to HTTP/1.1 and to its times, as ``ConnectionState`` decides.
///
/// It stands between the parser of SwiftNIO and Hummingbird, for what neither has an option for (Hummingbird 2.28,
/// SwiftNIO 2.101):
///
/// - Hummingbird closes a connection as soon as the last answer was handed to the socket, at a shutdown and after its
///   idle time, which begins then too: answers larger than the socket's buffer are cut. Here both times count from what
///   the client has received.
/// - Hummingbird compares `Connection` with `close` as one text, and answers with `close` never.
/// - Hummingbird does not wait for the end of a request that it answers early.
/// - Neither answers `Expect`, nor HTTP/1.0 without chunks, nor takes the host of an absolute target, nor asks for `Host`.
/// - Faults of the parser are answered without a body and strict fields, or reach the operation as its own.
/// - SwiftNIO drops what is not sent when the output is ended after the client ended its own.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let limits: ConnectionLimits
  private let logger: Logger
  private var state: ConnectionState
  private var context: ChannelHandlerContext?
  /// Calls ``advance()`` at the next time.
  private var timer: (end: NIODeadline, task: Scheduled<Void>)?

  init(_ limits: ConnectionLimits, on eventLoop: any EventLoop, logger: Logger) {
    (self.limits, self.logger) = (limits, logger)
    state = ConnectionState(limits, at: eventLoop.now)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    advance()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    state.close()
    timer?.task.cancel()
    (timer, self.context) = (nil, nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    state.close()
    timer?.task.cancel()
    timer = nil
    context.fireChannelInactive()
  }

  // MARK: - The client

  var isBetweenRequests: Bool { state.isBetweenRequests }
  var isReceiving: Bool { state.isReceiving }

  /// Notes bytes of the client, and returns whether they are parsed.
  func receive() -> Bool {
    guard let context else { return false }
    state.receive(at: context.eventLoop.now)
    return state.isReceiving
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard state.isReceiving else { return }
    switch unwrapInboundIn(data) {
    case .head(var head):
      do throws(Problem) {
        let port = context.channel.localAddress?.port ?? 80
        let exchange = try RequestHead.normalize(&head, authority: "localhost:\(port)")
        state.receiveHead(exchange, at: context.eventLoop.now)
      } catch {
        return state.refuse(.problem(error), isHead: head.method == .HEAD)
      }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body: context.fireChannelRead(data)
    case .end:
      state.receiveEnd()
      context.fireChannelRead(data)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let fault = error as? HTTPParserError else { return context.fireErrorCaught(error) }
    state.refuse(.problem(Problem(fault)))
    advance()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent:
      state.end(at: context.eventLoop.now)
      advance()
    case ChannelEvent.inputClosed:
      state.closeInput()
      context.fireUserInboundEventTriggered(event)
      advance()
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  // MARK: - The answers

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard event is BodyWanted else { return context.triggerUserOutboundEvent(event, promise: promise) }
    if state.takeExpectation() {
      context.writeAndFlush(
        wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }
    promise?.succeed()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    // What follows the last answer has no reader.
    guard !state.isFinishing else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
    switch unwrapOutboundIn(data) {
    case .head(let head) where (100..<200).contains(head.status.code): context.write(data, promise: promise)
    case .head(let head):
      guard let exchange = state.beginAnswer() else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
      context.write(wrapOutboundOut(.head(ConnectionHandler.framed(head, for: exchange))), promise: promise)
    case .body:
      // An answer to HEAD, a problem too, ends with its header (RFC 9110, 9.3.2).
      guard state.answering?.isHead == false else { return promise?.succeed() ?? () }
      context.write(data, promise: promise)
    case .end:
      context.write(data, promise: promise)
      state.endAnswer(at: context.eventLoop.now)
      advance()
    }
  }

  /// Returns a head with the fields that specify where its body ends, and whether another answer follows.
  private static func framed(_ head: HTTPResponseHead, for exchange: ConnectionState.Exchange) -> HTTPResponseHead {
    var head = head
    if !head.status.mayHaveResponseBody {
      head.headers.remove(name: "content-length")
      head.headers.remove(name: "transfer-encoding")
    } else if !head.headers.contains(name: "content-length"), !exchange.isHead, !exchange.isOld {
      head.headers.replaceOrAdd(name: "transfer-encoding", value: "chunked")
    }
    if exchange.closes { head.headers.replaceOrAdd(name: "connection", value: "close") }
    return head
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    switch mode {
    case .input: context.close(mode: mode, promise: promise)
    case .output:
      state.finish()
      promise?.succeed()
      advance()
    case .all:
      // The last answer is sent before.
      guard state.isFinishing else { return context.close(mode: mode, promise: promise) }
      context.channel.closeFuture.cascade(to: promise)
      advance()
    }
  }

  // MARK: - The socket

  func enqueue() {
    guard let context else { return }
    let now = context.eventLoop.now
    state.enqueue(at: now)
    // The present timer may be the idle one.
    if timer.map({ $0.end > now + state.progressInterval }) ?? true { advance() }
  }

  func noteSent() {
    guard let context else { return }
    state.send(at: context.eventLoop.now)
    if !state.hasUnsent { advance() }
  }

  // MARK: - Times

  /// Does what is to be done now, and looks again when the next time is over.
  func advance() {
    guard let context else { return }
    while true {
      switch state.next(at: context.eventLoop.now) {
      case .wait(let end): return look(at: end, context)
      case .refuse(let reason, let isHead, let isBodyDue):
        refuse(Problem(reason, limits), isHead: isHead, context)
        if isBodyDue { context.fireErrorCaught(IncompleteRequest()) }
      case .endOutput:
        context.close(mode: .output, promise: nil)
        // The operation may have stopped reading.
        context.read()
      case .close(let closing):
        note(closing, context)
        state.close()
        context.close(mode: .all, promise: nil)
      }
    }
  }

  /// Notes that an answer was cut: neither the client nor the operator would know by whom.
  private func note(_ closing: ConnectionState.Closing, _ context: ChannelHandlerContext) {
    guard let text = closing.description else { return }
    let client = context.channel.remoteAddress.map { "\($0)" } ?? "unknown"
    logger.notice("an answer was cut: \(text)", metadata: ["client": "\(client)"])
  }

  private func look(at end: NIODeadline?, _ context: ChannelHandlerContext) {
    // A timer that was set before finds nothing to do.
    guard let end else { return }
    if let timer, timer.end <= end { return }
    timer?.task.cancel()
    let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { [self] in
      timer = nil
      measure(context)
    }
    timer = (end, task)
  }

  private func measure(_ context: ChannelHandlerContext) {
    guard state.hasUnsent, let count = AcknowledgedBytes.read(from: context.channel) else { return advance() }
    count.assumeIsolated().whenComplete { [self] result in
      if let count = try? result.get() { state.acknowledge(count, at: context.eventLoop.now) }
      advance()
    }
  }

  /// Writes an answer of the connection's own, the last one.
  private func refuse(_ problem: Problem, isHead: Bool, _ context: ChannelHandlerContext) {
    var body = ByteBuffer()
    var json: [UInt8] = []
    problem.json.write(to: &json)
    body.writeBytes(json)
    var fields = StrictFields.all
    for field in problem.headers { fields.append(field) }
    fields[.contentType] = "application/problem+json"
    fields[.contentLength] = "\(json.count)"
    fields[.connection] = "close"
    fields[.date] = HTTPDate.now
    let head = HTTPResponseHead(
      version: .http1_1,
      status: HTTPResponseStatus(statusCode: problem.status.code, reasonPhrase: problem.status.reasonPhrase),
      headers: HTTPHeaders(fields.map { ($0.name.rawName, $0.value) }))
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}

private extension ConnectionState.Closing {
  /// Why an answer was cut, or `nil` if none was.
  var description: String? {
    switch self {
    case .complete: nil
    case .stalled(let limit): "the client received nothing for \(limit.nanoseconds / 1_000_000_000) s"
    case .refused: "the rest of its request did not come"
    case .ended: "the server ended"
    }
  }
}

private extension Problem {
  /// The problem of a request that the parser cannot read.
  init(_ fault: HTTPParserError) {
    switch fault {
    case .headerOverflow:
      self.init(.requestHeaderFieldsTooLarge, "The header of the request is too large.", advice: "Send fewer fields.")
    case .invalidEOFState, .closedConnection:
      self.init(.badRequest, "The request ended before it was complete.")
    default:
      self.init(.badRequest, "The request is not HTTP/1.1: \(fault).")
    }
  }

  init(_ reason: ConnectionState.Refusal, _ limits: ConnectionLimits) {
    switch reason {
    case .late:
      let seconds = limits.request.nanoseconds / 1_000_000_000
      self.init(.requestTimeout, "The request was not sent within \(seconds) s.", advice: "Send it again, faster.")
    case .ending: self.init(.serviceUnavailable, "The server ends.", advice: "Send it again later.", retryAfter: 10)
    case .problem(let problem): self = problem
    }
  }
}

#endif
