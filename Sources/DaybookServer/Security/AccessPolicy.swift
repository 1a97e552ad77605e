import DaybookModel
import HTTPTypes
import Hummingbird

/// Who may do what: the hosts that are served, the origins whose pages may write, tokens and sessions.
final class AccessPolicy: Sendable {
  let configuration: ServerConfiguration
  let sessions: Sessions?
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

  private var hosts: [String] {
    let port = port.withLock { $0 }
    let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
    return ["\(host):\(port)", "localhost:\(port)", host, "localhost"]
      + configuration.publicURLs.compactMap { Origin($0)?.authority }
  }

  /// - Throws: `Problem` with the status 421 for a host that is not this server: a name that a foreign page may have
  ///   pointed at this address; 400 for several hosts, of which a proxy may have read another one.
  func checkHost(_ request: Request) throws {
    // The first one is the authority, and is not among the fields.
    if let host = HTTPField.Name("Host"), request.headers[host] != nil {
      throw Problem(.badRequest, "The request names several hosts.", parameter: "Host")
    }
    let authority = request.head.authority ?? ""
    guard hosts.contains(authority.lowercased()) else {
      throw Problem(
        .misdirectedRequest, "This server is not “\(authority)”.",
        advice: "Use the address that it printed, or start it with --public-url.")
    }
  }

  private func isServed(_ origin: String) -> Bool {
    guard let parsed = Origin(origin) else { return false }
    let scheme = configuration.isEncrypted ? "https" : "http"
    if configuration.publicURLs.contains(where: { Origin($0) == parsed }) { return true }
    return parsed.scheme == scheme && hosts.contains(parsed.authority)
  }

  /// Returns the field that lets a page of another origin read the answer, or `nil`.
  func sharedOrigin(_ request: Request) -> String? {
    guard let origin = request.headers[.origin], configuration.allowedOrigins.contains(origin) else { return nil }
    return origin
  }

  // MARK: - Tokens

  /// Who sends a request, and by what.
  enum Credential: Sendable {
    case none
    case bearer(Principal)
    case session(Principal)

    var principal: Principal? {
      switch self {
      case .none: nil
      case .bearer(let principal), .session(let principal): principal
      }
    }
  }

  /// Returns who sends a request.
  ///
  /// - Throws: `Problem` with the status 401 for an unknown token.
  func credential(of request: Request) throws -> Credential {
    guard let tokens else { return .none }
    if let field = request.headers[.authorization] {
      let parts = field.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "bearer",
        let entry = tokens.entry(of: String(parts[1].trimmingWhitespace()))
      else { throw AccessPolicy.unauthorized("The token is not known.") }
      return .bearer(entry.principal)
    }
    guard let id = AccessPolicy.sessionID(in: request), let principal = sessions?.principal(of: id) else {
      return .none
    }
    return .session(principal)
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
    guard isServed(origin) || !isRequired && configuration.allowedOrigins.contains(origin) else {
      throw Problem(.forbidden, "Pages of “\(origin)” may not do this here.", parameter: "Origin")
    }
  }
}

/// The origin of a page (RFC 6454).
private struct Origin: Hashable {
  let scheme: String
  /// Host, and port unless it is the scheme's.
  let authority: String

  init?(_ text: String) {
    let parts = text.split(separator: "://", maxSplits: 1)
    guard parts.count == 2, parts[0] == "http" || parts[0] == "https" else { return nil }
    scheme = String(parts[0])
    let rest = parts[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)[0].lowercased()
    guard !rest.isEmpty else { return nil }
    let standard = scheme == "http" ? ":80" : ":443"
    authority = rest.hasSuffix(standard) ? String(rest.dropLast(standard.count)) : rest
  }
}
