import DaybookEngine
import DaybookModel
import Foundation

/// Where a replicated journal is, and how a process identifies itself there.
///
///     let address = try JournalAddress(parsing: "nats://one.example:4222,two.example,three.example/kitchen")
///
/// A store keeps its address in the file `journal.json` of its directory, which only its owner can read. Passwords are
/// not part of it: they are in files of their own.
public struct JournalAddress: Hashable, Sendable {
  /// The servers, as URLs with a scheme, a host and a port.
  package var servers: [String]
  /// The name of the stream: letters, digits, `-` and `_`.
  package var stream: String
  package var credentialsFile: String?
  package var user: String?
  package var passwordFile: String?
  package var authorityFile: String?
  package var serverName: String?
  package var certificateFile: String?
  package var keyFile: String?

  /// The port of a server that names none.
  package static let standardPort = 4_222

  /// Reads an address such as `nats://one:4222,two/kitchen`; with `tls:` connections are encrypted.
  ///
  /// - Parameters:
  ///   - text: The servers and the name of the stream.
  ///   - credentialsFile: A file with the credentials of a user: the JWT and the seed that `nsc` writes.
  ///   - user: The name of a user with a password.
  ///   - passwordFile: A file whose first line is the password of the user.
  ///   - authorityFile: A file with the certificates, as PEM, of the authorities that the servers' certificates must
  ///     come from. With it, connections are encrypted, whatever the scheme is.
  ///   - serverName: The name of a host that the certificate of each server must be for. With `nil` it is the host of
  ///     the servers, if all of them have the same one and it is a name; otherwise the authority alone is trusted.
  ///   - certificateFile: A file with the certificate chain of this client, as PEM.
  ///   - keyFile: A file with the private key of the certificate, as PEM.
  /// - Throws: `StoreError` with the code `badRequest` for anything else, and for a user or a password in the address.
  public init(
    parsing text: String, credentialsFile: String? = nil, user: String? = nil, passwordFile: String? = nil,
    authorityFile: String? = nil, serverName: String? = nil, certificateFile: String? = nil, keyFile: String? = nil
  ) throws {
    self.credentialsFile = credentialsFile
    self.user = user
    self.passwordFile = passwordFile
    self.authorityFile = authorityFile
    self.serverName = serverName
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    let scheme = ["nats://", "tls://"].first { text.hasPrefix($0) }
    guard let scheme, let slash = text.dropFirst(scheme.count).lastIndex(of: "/") else {
      throw JournalAddress.refusal(of: text, "it has not the form nats://HOST:PORT,HOST:PORT/STREAM")
    }
    let hosts = text.dropFirst(scheme.count)[..<slash].split(separator: ",", omittingEmptySubsequences: false)
    let stream = text[text.index(after: slash)...]
    guard !hosts.contains(where: { $0.contains("@") }) else {
      throw JournalAddress.refusal(of: "nats://...", "a user belongs in an option of its own, a password in a file")
    }
    guard !stream.isEmpty, stream.utf8.count <= 200, stream.allSatisfy(JournalAddress.isAllowed) else {
      throw JournalAddress.refusal(of: text, "the stream “\(stream)” is not a name of letters, digits, - and _")
    }
    self.stream = String(stream)
    servers = []
    for host in hosts {
      guard let server = JournalAddress.server(host) else {
        throw JournalAddress.refusal(of: text, "“\(host)” is not a host with a port")
      }
      servers.append(scheme + server)
    }
  }

  private static func isAllowed(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_")
  }

  /// Returns a host with its port, or `nil` for anything else.
  private static func server(_ text: Substring) -> String? {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && !$0.isWhitespace && $0 != "/" }) else { return nil }
    let end = text.lastIndex(of: "]") ?? text.startIndex
    guard let colon = text[end...].lastIndex(of: ":") else { return "\(text):\(standardPort)" }
    guard colon > text.startIndex, let port = UInt16(text[text.index(after: colon)...]), port > 0 else { return nil }
    return String(text)
  }

  private static func refusal(of text: String, _ reason: String) -> StoreError {
    StoreError(
      .badRequest, "“\(text)” is not the address of a journal: \(reason).",
      advice: "Write it as nats://HOST:PORT,HOST:PORT/STREAM.")
  }

  /// The name that the servers' certificates are compared with, or `nil` for none.
  package var expectedServerName: String? {
    if let serverName { return serverName }
    let hosts = Set(servers.compactMap(JournalAddress.host))
    guard hosts.count == 1, let host = hosts.first else { return nil }
    // libnats compares names, not addresses.
    let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
    return isAddress ? nil : host
  }

  /// Returns the host of a URL of the form `scheme://host:port`.
  private static func host(_ server: String) -> String? {
    guard let start = server.range(of: "://")?.upperBound, let colon = server.lastIndex(of: ":"), colon > start else {
      return nil
    }
    return server[start..<colon].trimmingCharacters(in: ["[", "]"])
  }

  /// The subject of the stream's messages.
  package var subject: String { "daybook.\(stream).journal" }
  /// The subject on which nodes send each other their reports; no stream keeps it.
  package var reportSubject: String { "daybook.\(stream).heads" }
}

extension JournalAddress: CustomStringConvertible {
  public var description: String { servers.joined(separator: ",") + "/" + stream }
}

/// The form of an address in a file.
extension JournalAddress {
  private static var optionalMembers: [(key: String, path: WritableKeyPath<JournalAddress, String?>)] {
    [
      ("credentials", \.credentialsFile), ("user", \.user), ("passwordFile", \.passwordFile),
      ("authority", \.authorityFile), ("serverName", \.serverName), ("certificate", \.certificateFile),
      ("key", \.keyFile),
    ]
  }

  init?(json: JSONValue) {
    guard let servers = json["servers"]?.elements?.map(\.stringValue), let stream = json["stream"]?.stringValue,
      !servers.isEmpty, !servers.contains(nil)
    else { return nil }
    self.servers = servers.compactMap { $0 }
    self.stream = stream
    for (key, path) in JournalAddress.optionalMembers { self[keyPath: path] = json[key]?.stringValue }
  }

  var members: [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = [
      ("servers", .array(servers.map { .string($0) })), ("stream", .string(stream)),
    ]
    for (key, path) in JournalAddress.optionalMembers {
      if let value = self[keyPath: path] { members.append((key, .string(value))) }
    }
    return members
  }
}
