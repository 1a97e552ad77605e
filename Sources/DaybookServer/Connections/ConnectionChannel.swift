#if Server

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The handlers of a connection: Hummingbird's `HTTP1Channel`, with ``ConnectionHandler`` in the place of its idle handler.
struct ConnectionChannel: HTTPChannelHandler {
  let responder: Responder
  let limits: ConnectionLimits
  /// The most bytes of all fields of a header.
  let headerLimit: Int

  /// The most fields of a header.
  private static let fieldLimit = 200

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<
    NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
  > {
    channel.eventLoop.makeCompletedFuture {
      try addHandlers(to: channel, logger: logger)
      return try NIOAsyncChannel(
        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }
  }

  /// Adds all handlers between the socket, or the encryption, and the operations.
  ///
  /// - Parameter logger: Where an answer that is cut is noted.
  func addHandlers(to channel: any Channel, logger: Logger) throws {
    let connection = ConnectionHandler(limits, on: channel.eventLoop, logger: logger)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(ConnectionBytesHandler(connection))
    var decoding = NIOHTTPDecoderLimitConfiguration()
    decoding.maxHeaderFieldSize = headerLimit
    decoding.maxHeaderListSize = headerLimit
    decoding.maxHeaderFieldCount = ConnectionChannel.fieldLimit
    // The connection decides how the end of a body is marked: SwiftNIO sends chunks to each client.
    var encoding = HTTPResponseEncoder.Configuration()
    encoding.automaticallySetFramingHeaders = false
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
      withEncoderConfiguration: encoding, withDecoderLimitConfiguration: decoding)
    try pipeline.addHandler(connection)
    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
  }

  func handle(value: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>, logger: Logger) async {
    await handleHTTP(asyncChannel: value, logger: logger)
  }
}

#endif
