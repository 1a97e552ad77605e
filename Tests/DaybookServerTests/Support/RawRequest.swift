#if Server

import Foundation
import NIOCore
import NIOPosix

/// Requests as bytes on a socket, which no client library would send.
enum RawRequest {
  /// Sends bytes, and returns the head of the answer; empty if the server closes the connection without one.
  static func head(of text: String, port: Int) async throws -> String {
    let answer = try await answer(to: text, port: port) { $0.contains("\r\n\r\n") }
    return answer.range(of: "\r\n\r\n").map { String(answer[..<$0.lowerBound]) } ?? answer
  }

  /// Sends bytes, and returns what the server sends until a condition holds or it closes the connection.
  static func answer(
    to text: String, port: Int, until isEnough: (String) -> Bool = { _ in false }
  ) async throws -> String {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      // The server may refuse, and close the connection, before it has read all.
      try? await outbound.write(ByteBuffer(string: text))
      var received = ""
      do {
        for try await buffer in inbound {
          received += String(buffer: buffer)
          if isEnough(received) { break }
        }
      } catch {
        // A connection that is reset has answered with what was received.
      }
      return received
    }
  }
}

#endif
