#if Server

import DaybookModel
import HTTPTypes
import Hummingbird

/// Who may do what: the hosts that are served, the origins whose pages may write, tokens and sessions.
final class AccessPolicy: Sendable {
  let configuration: ServerConfiguration
  let sessions: Sessions?
  let openStreams = OpenStreams()
  private let tokens: TokenFile?
  /// The port that the server has bound.
  private let port: Locked<Int>

  static let cookieName = "daybook-session"

  /// - Parameter tokens: The tokens; `nil` for a server that is only read, without tokens.
  init(_ configuration: ServerConfiguration, _ tokens: TokenFile?) {
    self.configuration = configuration
    self.tokens = tokens
    sessions = tokens.map { Sessions($0) }
    port = Locked(configuration.port)
  }

  /// Whether reading needs a token, too.
  var isClosed: Bool { configuration.tokenFile != nil }

  func noteListening(on port: Int) { self.port.withLock { $0 = port } }

  // MARK: - Hosts and origins

  /// The hosts that a request may name.
  private var hosts: Set<String> {
    let port = port.withLock { $0 }
    var hosts: Set = ["\(host):\(port)", "localhost:\(port)", host, "localhost"]
    for origin in publicOrigins { hosts.formUnion([origin.authority, origin.fullAuthority]) }
    return hosts
  }

  /// The origins of the server's own pages.
  ///
  /// A port is a part of an origin (RFC 6454, 5): the pages of another server of this machine have another one, though a
  /// browser sends them the cookies of this server.
  private var origins: Set<Origin> {
    let port = port.withLock { $0 }
    let scheme = configuration.isEncrypted ? "https" : "http"
    return Set(["\(host):\(port)", "localhost:\(port)"].map { Origin(scheme: scheme, authority: $0) } + publicOrigins)
  }

  private var host: String {
    let host = configuration.host.lowercased()
    return host.contains(":") ? "[\(host)]" : host
  }

  private var publicOrigins: [Origin] { configuration.publicURLs.compactMap { Origin($0) } }

  /// - Throws: `Problem` with the status 421 for a host that is not this server: a name that a foreign page may have
  ///   pointed at this address.
  func checkHost(_ request: Request) throws {
    let authority = request.head.authority ?? ""
    guard hosts.contains(authority.lowercased()) else {
      throw Problem(
        .misdirectedRequest, "This server is not “\(authority)”.",
        advice: "Use the address that it printed, or start it with --public-url.")
    }
  }

  private func isServed(_ origin: String) -> Bool { Origin(origin).map { origins.contains($0) } ?? false }

  private func isAllowed(_ origin: String) -> Bool {
    guard let origin = Origin(origin) else { return false }
    return configuration.allowedOrigins.contains { Origin($0) == origin }
  }

  /// Returns the field that lets a page of another origin read the answer, or `nil`.
  func sharedOrigin(_ request: Request) -> String? {
    guard let origin = request.headers[.origin], isAllowed(origin) else { return nil }
    return origin
  }

  // MARK: - Tokens

  /// Returns who sends a request, and by what.
  ///
  /// Another scheme than `Bearer` is not meant for this server: a proxy may have its own. An unknown token is no error
  /// here, because some operations need none.
  func credential(of request: Request) -> Credential {
    guard let tokens, let sessions else { return .none }
    if let field = request.headers[.authorization] {
      let parts = field.split(separator: " ", maxSplits: 1)
      if parts.first?.lowercased() == "bearer" {
        guard parts.count == 2, let entry = tokens.entry(of: String(parts[1].trimmingWhitespace())) else {
          return .unknown
        }
        return .bearer(entry.principal) { tokens.contains(entry) }
      }
    }
    guard let id = AccessPolicy.sessionID(in: request), let principal = sessions.principal(of: id) else { return .none }
    return .session(principal) { sessions.principal(of: id) != nil }
  }

  static func sessionID(in request: Request) -> String? {
    for field in request.headers[values: .cookie] {
      for pair in field.split(separator: ";") {
        let sides = pair.split(separator: "=", maxSplits: 1)
        if sides.count == 2, sides[0].trimmingWhitespace() == cookieName {
          return String(sides[1].trimmingWhitespace())
        }
      }
    }
    return nil
  }

  private static func unauthorized(_ detail: String) -> Problem {
    var problem = Problem(.unauthorized, detail, advice: "Send Authorization: Bearer with a token of the token file.")
    problem.headers[.wwwAuthenticate] = "Bearer"
    return problem
  }

  /// Checks that a request may do what its operation does.
  ///
  /// - Throws: `Problem` with the status 401 or 403.
  func check(_ access: Access, _ request: Request, _ credential: Credential) throws {
    if access == .open { return }
    if case .unknown = credential {
      throw AccessPolicy.unauthorized("The token is not known; of a line of the token file it is the first word.")
    }
    switch access {
    case .open: return
    case .read:
      guard !isClosed || credential.principal != nil else {
        throw AccessPolicy.unauthorized("Reading needs a token here.")
      }
    case .write:
      guard configuration.allowsWriting else {
        throw Problem(.forbidden, "This server only reads.", advice: "Start it with --write.")
      }
      if configuration.ownPagesMayWrite { return try checkOrigin(of: request, isRequired: true) }
      guard let principal = credential.principal else { throw AccessPolicy.unauthorized("Writing needs a token.") }
      guard principal.role == .write else {
        throw Problem(.forbidden, "The token of \(principal.name) may only read.")
      }
      try checkOrigin(of: request, isRequired: { if case .session = credential { true } else { false } }())
    }
  }

  /// - Throws: `Problem` with the status 403 for a page of another origin, and for none where the browser sent a cookie by
  ///   itself.
  func checkOrigin(of request: Request, isRequired: Bool) throws {
    guard let origin = request.headers[.origin] else {
      guard isRequired else { return }
      throw Problem(.forbidden, "A request of a page, without a token, needs its Origin.", parameter: "Origin")
    }
    guard isServed(origin) || !isRequired && isAllowed(origin) else {
      throw Problem(.forbidden, "Pages of “\(origin)” may not do this here.", parameter: "Origin")
    }
  }
}

#endif
