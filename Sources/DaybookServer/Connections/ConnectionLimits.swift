#if Server

import NIOCore

/// The times that a connection allows its client.
struct ConnectionLimits: Sendable {
  /// From the first byte of a request to its last.
  var request: TimeAmount
  /// Without a request.
  var idle: TimeAmount
  /// Without any progress while bytes wait to be sent.
  var stall: TimeAmount
  /// From the beginning of a shutdown to the end of the connection, whatever is under way.
  var shutdown: TimeAmount
  /// As ``request`` for the rest of a request, and as ``stall``, without any progress during a shutdown.
  var shutdownStall = TimeAmount.seconds(2)
  /// From the last byte of the last answer, or the last byte that the client sent after it, to the end of the connection.
  ///
  /// A connection that is closed while the client's bytes are on their way is reset, and the client may lose the answer
  /// (RFC 9112, 9.6).
  var linger = TimeAmount.seconds(2)
}

extension ConnectionLimits {
  init(_ configuration: ServerConfiguration) {
    self.init(
      request: TimeAmount(configuration.requestTimeLimit), idle: TimeAmount(configuration.idleTimeLimit),
      stall: TimeAmount(configuration.stallTimeLimit), shutdown: TimeAmount(configuration.shutdownTimeLimit))
  }
}

#endif
