#if JetStream

import Crypto
import Foundation

/// An account of NATS with an operator of its own, as the program `nsc` would make them.
///
/// The forms of keys and claims are described at <https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt>.
struct NATSAccount {
  private let operatorKey = Key(.operator)
  private let accountKey = Key(.account)
  /// The account of the servers themselves, without which they start no JetStream.
  private let systemKey = Key(.account)

  /// What a server that trusts the operator needs in its configuration.
  var settings: String {
    get throws {
      let operatorToken = try operatorKey.token(
        for: operatorKey, named: "tests", claims: ["type": "operator", "version": 2])
      let unlimited = ["subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage", "disk_storage"]
      var limits: [String: Any] = Dictionary(uniqueKeysWithValues: unlimited.map { ($0, -1) })
      limits["streams"] = -1
      limits["consumer"] = -1
      limits["wildcards"] = true
      let accountToken = try operatorKey.token(
        for: accountKey, named: "stores", claims: ["type": "account", "version": 2, "limits": limits])
      let systemToken = try operatorKey.token(
        for: systemKey, named: "system", claims: ["type": "account", "version": 2])
      return """
        operator: "\(operatorToken)"
        resolver: MEMORY
        system_account: \(systemKey.name)
        resolver_preload: { \(accountKey.name): "\(accountToken)", \(systemKey.name): "\(systemToken)" }
        """
    }
  }

  /// The file of a new user of the account: its claims and its secret.
  func credentials(ofUser name: String) throws -> String {
    let user = Key(.user)
    let claims: [String: Any] = [
      "type": "user", "version": 2, "pub": [String: String](), "sub": [String: String](), "subs": -1, "data": -1,
      "payload": -1,
    ]
    return """
      -----BEGIN NATS USER JWT-----
      \(try accountKey.token(for: user, named: name, claims: claims))
      ------END NATS USER JWT------

      -----BEGIN USER NKEY SEED-----
      \(user.seed)
      ------END USER NKEY SEED------

      """
  }
}

/// A key of Ed25519 in the form of NATS.
private struct Key {
  /// The first byte of a public key, which shows as its first letter.
  enum Role: UInt8 {
    case account = 0
    case `operator` = 112
    case user = 160
  }

  private let role: Role
  private let secret = Curve25519.Signing.PrivateKey()

  init(_ role: Role) {
    self.role = role
  }

  /// The public key, as text.
  var name: String { Key.text([role.rawValue] + secret.publicKey.rawRepresentation) }

  /// The secret, as text.
  var seed: String {
    Key.text([144 | role.rawValue >> 5, (role.rawValue & 31) << 3] + secret.rawRepresentation)
  }

  /// Returns claims about another key, signed with this one.
  func token(for subject: Key, named name: String, claims: [String: Any]) throws -> String {
    let head = ["typ": "JWT", "alg": "ed25519-nkey"]
    let body: [String: Any] = [
      "jti": UUID().uuidString, "iat": 1_700_000_000, "iss": self.name, "sub": subject.name, "name": name,
      "nats": claims,
    ]
    let parts = try [head, body].map { try Key.base64(JSONSerialization.data(withJSONObject: $0)) }
    let text = parts.joined(separator: ".")
    return "\(text).\(Key.base64(try secret.signature(for: Data(text.utf8))))"
  }

  private static func base64(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Returns bytes and their CRC-16/XMODEM in base 32, without padding.
  private static func text(_ bytes: [UInt8]) -> String {
    var checksum: UInt16 = 0
    for byte in bytes {
      checksum ^= UInt16(byte) << 8
      for _ in 0..<8 { checksum = checksum & 0x8000 == 0 ? checksum << 1 : checksum << 1 ^ 0x1021 }
    }
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var (text, rest, count) = ("", 0, 0)
    for byte in bytes + [UInt8(checksum & 255), UInt8(checksum >> 8)] {
      rest = rest << 8 | Int(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(letters[rest >> count & 31])
      }
      rest &= 1 << count - 1
    }
    if count > 0 { text.append(letters[rest << (5 - count) & 31]) }
    return text
  }
}

#endif
