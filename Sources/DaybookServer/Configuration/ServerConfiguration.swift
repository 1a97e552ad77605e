#if Server

import Foundation

/// Where a server listens, who may use it, and what it allows.
public struct ServerConfiguration: Sendable {
  /// How clients reach the server.
  public enum Transport: Sendable {
    /// Without encryption, which is for this machine alone.
    case plain
    /// With TLS, by a certificate chain and its private key in PEM files.
    case tls(certificate: String, key: String)
    /// Without encryption, behind a proxy on this machine or network that has TLS.
    case behindProxy
  }

  /// The address to listen on. Any but a loopback address needs ``tokenFile``, and TLS or a proxy.
  public var host: String
  /// The port to listen on; 0 takes a free one.
  public var port: Int
  /// Whether requests may write. Without ``tokenFile``, the server then makes a token, which writing needs.
  public var allowsWriting: Bool
  /// Whether the server's own pages may write without a token, as for a program that one person uses on one machine.
  ///
  /// A writing request then needs the `Origin` of such a page, which a browser sends and a page of another origin cannot
  /// change. Any other program of this machine can. It needs a loopback address, and excludes ``tokenFile``.
  public var ownPagesMayWrite = false
  /// How clients reach the server.
  public var transport = Transport.plain
  /// The file with the tokens, readable by its owner alone: lines of a token, `read` or `write`, and a name. With it,
  /// reading needs a token, too.
  public var tokenFile: String?
  /// Further addresses at which browsers reach the server, such as `https://recipes.example.com`.
  public var publicURLs: [String] = []
  /// Other origins whose pages may read, and write with a token.
  public var allowedOrigins: [String] = []

  /// The most bytes of a body, other than a form.
  public var bodyLimit = 16 << 20
  /// The most bytes of a form with files: a value of the largest size, 64 MiB, and 16 MiB of others.
  ///
  /// The form is in memory until its commit is written.
  public var formLimit = 80 << 20
  /// The most bytes of all fields of a header.
  public var headerLimit = 16 << 10
  /// The most bytes of a request's path and query.
  public var targetLimit = 8 << 10
  /// The time that one answer, or one event of a stream, may take to make.
  public var fetchTimeLimit = Duration.seconds(10)
  /// The time in which a request must be sent, from its first byte to its last.
  public var requestTimeLimit = Duration.seconds(30)
  /// The time after which a connection without a request is closed.
  public var idleTimeLimit = Duration.seconds(30)
  /// The time after which a connection is closed whose client reads nothing of an answer. However slowly it reads, an
  /// answer is sent to its end.
  public var stallTimeLimit = Duration.seconds(30)
  /// The time that answers under way have at a graceful shutdown; clients that neither read nor send have two seconds.
  public var shutdownTimeLimit = Duration.seconds(9)
  /// The most streams at a time.
  public var streamLimit = 1_024

  public init(host: String = "127.0.0.1", port: Int = 8_642, allowsWriting: Bool = false) {
    self.host = host
    self.port = port
    self.allowsWriting = allowsWriting
  }

  /// Whether the address is one of this machine's own.
  var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.") && host.split(separator: ".").count == 4
  }

  /// Whether browsers reach the server by TLS.
  var isEncrypted: Bool {
    if case .plain = transport { false } else { true }
  }

  /// - Throws: `ServerConfigurationError` for an address that others reach, without tokens or without encryption, for
  ///   pages that write without a token where others reach the server, and for addresses and origins that no request can
  ///   have.
  func check() throws {
    for url in publicURLs where Origin(url) == nil {
      throw ServerConfigurationError(
        "“\(url)” is not an address at which browsers reach a server.",
        advice: "Write it as https://recipes.example.com.")
    }
    for origin in allowedOrigins where !Origin.isExact(origin) {
      throw ServerConfigurationError(
        "“\(origin)” is not an origin, so no page has it.",
        advice: "Write scheme, host and port as browsers do: https://app.example, without a path.")
    }
    if ownPagesMayWrite, !isLoopback || tokenFile != nil {
      throw ServerConfigurationError(
        "Pages write without a token only where this machine alone reaches the server.",
        advice: "Listen on 127.0.0.1 without a token file, or let pages sign in.")
    }
    guard !isLoopback else { return }
    if tokenFile == nil {
      throw ServerConfigurationError(
        "\(host) is reached from other machines, so reading and writing need tokens.",
        advice: "Name a token file, or listen on 127.0.0.1.")
    }
    if !isEncrypted {
      throw ServerConfigurationError(
        "\(host) is reached from other machines, so the connection needs encryption.",
        advice: "Give a certificate and its key, or specify that a proxy has them.")
    }
  }
}

/// A configuration with which a server does not start.
public struct ServerConfigurationError: Error, Sendable, CustomStringConvertible {
  /// What was wrong, with the value concerned.
  public let message: String
  /// What to do.
  public let advice: String
  /// Whether a file that the configuration names could not be read.
  package let concernsFile: Bool

  init(_ message: String, advice: String, concernsFile: Bool = false) {
    (self.message, self.advice, self.concernsFile) = (message, advice, concernsFile)
  }

  /// Creates the error for a file that cannot be read, or `nil` if it can be.
  init?(reading path: String, _ noun: String) {
    guard access(path, R_OK) != 0 else { return nil }
    self.init(
      "The \(noun) \(path) cannot be read: \(String(cString: strerror(errno))).",
      advice: "Check its path, its owner and its mode.", concernsFile: true)
  }

  public var description: String { "\(message) \(advice)" }
}

#endif
