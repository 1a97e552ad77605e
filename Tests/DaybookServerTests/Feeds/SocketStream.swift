import DaybookTestSupport
import NIOCore
import NIOPosix

@testable import DaybookServer

/// A stream over a connection to 127.0.0.1, which ends with the call that opens it.
struct SocketStream {
  private var incoming: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private var text = ""

  /// Opens a stream, and closes the connection when the body returns.
  static func open<Result>(
    _ path: String, port: Int, _ body: (inout SocketStream) async throws -> Result
  ) async throws -> Result {
    let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await connection.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"))
      var stream = SocketStream(incoming: inbound.makeAsyncIterator())
      return try await body(&stream)
    }
  }

  private init(incoming: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) {
    self.incoming = incoming
  }

  /// Reads up to the end of an event that contains a text; returns what was received since the last call.
  ///
  /// - Throws: `Mismatch` if the connection ends before.
  mutating func read(through part: String) async throws -> String {
    while true {
      if let found = text.firstRange(of: part), let end = text[found.upperBound...].firstRange(of: "\n\n") {
        defer { text.removeSubrange(..<end.upperBound) }
        return String(text[..<end.upperBound])
      }
      guard let buffer = try await incoming.next() else { throw Mismatch("the stream ended before “\(part)”: \(text)") }
      text += String(buffer: buffer)
    }
  }

  /// Reads until the server closes the connection.
  mutating func readToEnd() async throws {
    while let buffer = try await incoming.next() { text += String(buffer: buffer) }
  }
}
