import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers requests on a connection that never become complete: with 408 after a time, and with 431 for fields that are
/// too large.
///
/// The time of a request begins with its first byte and ends with its last, so a client that sends single bytes slowly
/// holds its connection no longer than one that sends nothing.
final class RequestLimitHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  /// Ends the request that is being received.
  private var timeout: Scheduled<Void>?
  /// The answers that are due, or under way.
  private var pendingCount = 0
  /// Whether a request's head has come, and its end has not.
  private var isBodyDue = false
  private var isAnswering = false

  init(limit: TimeAmount) {
    self.limit = limit
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let (handler, place) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
    let first = FirstByteHandler { handler.value.noteBytes(place.value) }
    do {
      try context.pipeline.syncOperations.addHandler(first, position: .first)
    } catch {
      // A pipeline that takes no handlers any more belongs to a connection that is being closed.
      context.close(promise: nil)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timeout?.cancel()
  }

  private func noteBytes(_ context: ChannelHandlerContext) {
    guard timeout == nil else { return }
    let (handler, place) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
    timeout = context.eventLoop.scheduleTask(in: limit) {
      handler.value.timeout = nil
      handler.value.refuse(.requestTimeout, place.value)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      pendingCount += 1
      isBodyDue = true
    case .body: break
    case .end:
      isBodyDue = false
      timeout?.cancel()
      timeout = nil
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head: isAnswering = true
    case .body: break
    case .end:
      isAnswering = false
      pendingCount -= 1
    }
    context.write(data, promise: promise)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard case HTTPParserError.headerOverflow = error, pendingCount == 0 else { return context.fireErrorCaught(error) }
    refuse(.requestHeaderFieldsTooLarge, context)
  }

  /// Closes the connection, and answers the incomplete request before if no other answer comes first.
  private func refuse(_ status: HTTPResponse.Status, _ context: ChannelHandlerContext) {
    guard !isAnswering, pendingCount == (isBodyDue ? 1 : 0) else { return context.close(promise: nil) }
    let head = HTTPResponse(status: status, headerFields: [.connection: "close", .contentLength: "0"])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.close(promise: nil)
  }
}

/// Notes bytes before they are parsed.
private final class FirstByteHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let note: () -> Void

  init(_ note: @escaping () -> Void) {
    self.note = note
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    note()
    context.fireChannelRead(data)
  }
}
