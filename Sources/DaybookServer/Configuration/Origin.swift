#if Server

/// The origin of a page (RFC 6454): the scheme with the host and its port.
struct Origin: Hashable, Sendable {
  let scheme: String
  /// Host, and port unless it is the scheme's.
  let authority: String

  /// - Parameter authority: The host, with or without the port, in lower case.
  init(scheme: String, authority: String) {
    self.scheme = scheme
    let standard = Origin.standardPort(of: scheme)
    self.authority = authority.hasSuffix(standard) ? String(authority.dropLast(standard.count)) : authority
  }

  /// Reads the origin at the beginning of an address; `nil` for a text that is no address of HTTP.
  init?(_ text: String) {
    let lowered = text.lowercased()
    guard let scheme = ["http", "https"].first(where: { lowered.hasPrefix("\($0)://") }) else { return nil }
    let authority = lowered.dropFirst(scheme.count + 3).prefix { $0 != "/" }
    guard Origin.isAuthority(authority) else { return nil }
    self.init(scheme: scheme, authority: String(authority))
  }

  /// Whether a text is an origin and nothing else, as browsers send it.
  static func isExact(_ text: String) -> Bool {
    guard let origin = Origin(text) else { return false }
    return text.lowercased() == "\(origin.scheme)://\(origin.authority)"
  }

  /// The host with the port in any case.
  var fullAuthority: String { Origin.hasPort(authority) ? authority : authority + Origin.standardPort(of: scheme) }

  private static func standardPort(of scheme: String) -> String { scheme == "http" ? ":80" : ":443" }

  private static func hasPort(_ authority: String) -> Bool {
    authority.drop { $0 != "]" }.dropFirst().hasPrefix(":") || !authority.contains("]") && authority.contains(":")
  }

  private static func isAuthority(_ text: Substring) -> Bool {
    let host = text.hasPrefix("[") ? text.dropFirst().prefix { $0 != "]" } : text.prefix { $0 != ":" }
    let rest = text.hasPrefix("[") ? text.dropFirst(host.count + 2) : text.dropFirst(host.count)
    let isHost =
      !host.isEmpty
      && host.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        case UInt8(ascii: ":"): text.hasPrefix("[")
        default: false
        }
      }
    guard isHost, !rest.isEmpty else { return isHost }
    return rest.first == ":" && UInt16(rest.dropFirst()) != nil
  }
}

#endif
