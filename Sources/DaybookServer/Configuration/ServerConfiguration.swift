/// Where a server listens, and what it allows.
public struct ServerConfiguration: Sendable {
  /// The address to listen on. Any but a loopback address needs tokens, and a certificate or a proxy.
  public var host: String
  /// The port to listen on; 0 takes a free one.
  public var port: Int
  /// Whether requests may write.
  public var allowsWriting: Bool

  public init(host: String = "127.0.0.1", port: Int = 8_642, allowsWriting: Bool = false) {
    self.host = host
    self.port = port
    self.allowsWriting = allowsWriting
  }
}
