#if Server

import HTTPTypes
import NIOHTTP1

/// The rules of HTTP/1.1 for the head of a request that the parser of SwiftNIO leaves to its user.
enum RequestHead {
  /// Makes the head one with a path and one `Host`, and returns what its answer has to keep to.
  ///
  /// - Parameters:
  ///   - head: The head as it was received.
  ///   - authority: The host that a request of HTTP/1.0 means, which need not name one.
  /// - Throws: `Problem` for a head that no server, or not this one, can answer.
  static func normalize(_ head: inout HTTPRequestHead, authority: String) throws(Problem) -> ConnectionState.Exchange {
    guard head.version.major == 1 else {
      throw Problem(
        .init(code: 505, reasonPhrase: "HTTP Version Not Supported"), "This server speaks HTTP/1.1 and HTTP/1.0.")
    }
    let isOld = head.version.minor == 0
    try normalizeTarget(&head)
    try checkHost(&head, isOld ? authority : nil)
    try checkFraming(head, isOld: isOld)
    let hasBody =
      head.headers.contains(name: "transfer-encoding") || head.headers["content-length"].contains { $0 != "0" }
    return ConnectionState.Exchange(
      closes: isOld || head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }, isOld: isOld,
      isHead: head.method == .HEAD,
      expectsContinue: !isOld && hasBody
        && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" })
  }

  /// Gives the target its usual form (RFC 9112, 3.2).
  private static func normalizeTarget(_ head: inout HTTPRequestHead) throws(Problem) {
    let target = head.uri
    if head.method == .CONNECT {
      var problem = Problem(.methodNotAllowed, "This server is no proxy.")
      problem.headers[.allow] = "GET, HEAD, POST"
      throw problem
    }
    if target.hasPrefix("/") || target == "*" && head.method == .OPTIONS { return }
    guard let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) }) else {
      throw Problem(.badRequest, "“\(target.prefix(80))” is not a path.", advice: "A path begins with a slash.")
    }
    // The host of the target replaces the field, whatever that names (RFC 9112, 3.2.2).
    let rest = target.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let path = rest[authority.endIndex...].prefix { $0 != "#" }
    head.headers.replaceOrAdd(name: "host", value: String(authority))
    head.uri = path.hasPrefix("/") ? String(path) : "/\(path)"
  }

  /// - Parameter substitute: The host of a request that need not name one.
  private static func checkHost(_ head: inout HTTPRequestHead, _ substitute: String?) throws(Problem) {
    let hosts = head.headers["host"]
    guard hosts.count < 2 else {
      // A proxy may have read another one of them.
      throw Problem(.badRequest, "The request names several hosts.", parameter: "Host")
    }
    guard let host = hosts.first else {
      guard let substitute else {
        throw Problem(.badRequest, "The request has no Host.", advice: "HTTP/1.1 requires it.", parameter: "Host")
      }
      return head.headers.add(name: "host", value: substitute)
    }
    let refused = Array(#"/?#@,\"<>^`{|}"#.utf8)
    guard !host.isEmpty, host.utf8.allSatisfy({ (33...126).contains($0) && !refused.contains($0) }) else {
      throw Problem(.badRequest, "“\(host.prefix(80))” is not a host.", parameter: "Host")
    }
  }

  /// Refuses bodies whose ends two readers may see at different places (RFC 9112, 6.1 and 6.3).
  private static func checkFraming(_ head: HTTPRequestHead, isOld: Bool) throws(Problem) {
    let codings = head.headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
    guard !codings.isEmpty else { return }
    if isOld || head.headers.contains(name: "content-length") {
      throw Problem(
        .badRequest, isOld ? "HTTP/1.0 has no Transfer-Encoding." : "The body has a length and a Transfer-Encoding.",
        parameter: "Transfer-Encoding")
    }
    guard codings == ["chunked"] else {
      throw Problem(
        .notImplemented, "A body can be chunked, not \(codings.joined(separator: ", ")).",
        parameter: "Transfer-Encoding")
    }
  }
}

#endif
