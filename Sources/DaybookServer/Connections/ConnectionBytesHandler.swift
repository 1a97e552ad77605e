#if Server

import NIOCore

/// Notes what a connection receives and sends, between the encryption and the parser.
///
/// Empty lines between requests are left out: they begin none (RFC 9112, 2.2). What is sent goes to the socket in pieces,
/// so that the progress of a large answer is seen.
final class ConnectionBytesHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let connection: ConnectionHandler

  private static let pieceSize = 64 << 10

  init(_ connection: ConnectionHandler) {
    self.connection = connection
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if connection.isBetweenRequests {
      let lines = bytes.readableBytesView.prefix { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
      bytes.moveReaderIndex(forwardBy: lines.count)
    }
    guard bytes.readableBytes > 0, connection.receive() else { return }
    context.fireChannelRead(wrapInboundOut(bytes))
    connection.advance()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    // What is not wanted any more is read too, and dropped.
    if !connection.isReceiving { context.read() }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .byteBuffer(var bytes) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    while bytes.readableBytes > ConnectionBytesHandler.pieceSize,
      let piece = bytes.readSlice(length: ConnectionBytesHandler.pieceSize)
    {
      write(piece, context, nil)
    }
    write(bytes, context, promise)
  }

  private func write(_ piece: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    connection.enqueue()
    let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { [connection] _ in connection.noteSent() }
    context.write(wrapOutboundOut(.byteBuffer(piece)), promise: sent)
  }
}

#endif
