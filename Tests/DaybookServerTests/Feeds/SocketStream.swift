#if Server

import DaybookTestSupport
import NIOCore
import NIOPosix

@testable import DaybookServer

/// A stream over a connection to 127.0.0.1, which ends with the call that opens it.
struct SocketStream {
  private var incoming: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  /// The bytes that were received and not returned.
  private var bytes: [UInt8] = []
  /// How many of them have no end of an event.
  private var searched = 0

  /// Opens a stream, and closes the connection when the body returns.
  ///
  /// - Parameter fields: Further lines of the header, each with its end.
  static func open<Result>(
    _ path: String, port: Int, fields: String = "", _ body: (inout SocketStream) async throws -> Result
  ) async throws -> Result {
    let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await connection.executeThenClose { inbound, outbound in
      let head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n"
      try await outbound.write(ByteBuffer(string: head))
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
    let mark = Array(part.utf8)
    var events = ""
    while true {
      while let event = takeEvent() {
        events += String(decoding: event, as: UTF8.self)
        if event.firstRange(of: mark) != nil { return events }
      }
      guard let buffer = try await incoming.next() else {
        throw Mismatch("the stream ended before “\(part)”: \(events)\(String(decoding: bytes, as: UTF8.self))")
      }
      bytes += buffer.readableBytesView
    }
  }

  /// Removes and returns the first event, with the empty line at its end, or `nil` if it is not complete.
  ///
  /// Each byte is searched once: a slow client receives megabytes in small pieces.
  private mutating func takeEvent() -> [UInt8]? {
    while let line = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      guard line + 1 < bytes.count else { return nil }
      searched = line + 1
      guard bytes[searched] == UInt8(ascii: "\n") else { continue }
      defer {
        bytes.removeFirst(searched + 1)
        searched = 0
      }
      return Array(bytes[...searched])
    }
    searched = bytes.count
    return nil
  }

  /// Reads until the server closes the connection; returns what was not returned before.
  @discardableResult
  mutating func readToEnd() async throws -> String {
    while let buffer = try await incoming.next() { bytes += buffer.readableBytesView }
    return String(decoding: bytes, as: UTF8.self)
  }
}

#endif
