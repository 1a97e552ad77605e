#if Server

import NIOCore

/// How many bytes of a connection the client's system has confirmed, as the kernel counts them.
enum AcknowledgedBytes {
  /// Returns the number, or `nil` where the system, or the kind of channel, does not provide it; it fails for sockets
  /// other than TCP.
  static func read(from channel: any Channel) -> EventLoopFuture<UInt64>? {
    #if os(Linux)
    guard let socket = channel as? any SocketOptionProvider else { return nil }
    let info: EventLoopFuture<TCPInfo> = socket.unsafeGetSocketOption(
      level: .tcp, name: NIOBSDSocket.Option(rawValue: TCPInfo.option))
    return info.map(\.bytesAcknowledged)
    #else
    return nil
    #endif
  }
}

#if os(Linux)
/// The beginning of `struct tcp_info` (linux/tcp.h), up to `tcpi_bytes_acked`, which Linux has since 4.1.
private struct TCPInfo: Sendable {
  /// `TCP_INFO`.
  static let option: CInt = 11

  /// 8 bytes of flags, 24 numbers of 32 bits, and two rates of 64.
  private var before:
    (
      UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
      UInt64
    )
  var bytesAcknowledged: UInt64
}
#endif

#endif
