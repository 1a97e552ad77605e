#if Server

import Crypto
import DaybookModel
import Foundation

/// The tokens that a server knows: the lines of a file, which is read again when it changes, or one that it made.
final class TokenFile: Sendable {
  /// A token, of which only the digest is kept.
  struct Entry: Hashable, Sendable {
    let digest: [UInt8]
    let principal: Principal
  }

  private struct State {
    var entries: [Entry]
    var stamp: Stamp?
  }

  /// What changes when the file does.
  private struct Stamp: Hashable {
    let seconds: Int
    let nanoseconds: Int
    let size: Int
    let number: UInt64
  }

  private let path: String?
  private let state: Locked<State>

  /// Reads a file.
  ///
  /// - Throws: `ServerConfigurationError` for a file that others may read, and for a line that is no token.
  init(path: String) throws {
    self.path = path
    let stamp = try TokenFile.stamp(of: path)
    state = Locked(State(entries: try TokenFile.read(path), stamp: stamp))
  }

  /// Knows one token that may write.
  init(token: String, name: String) {
    path = nil
    state = Locked(
      State(entries: [Entry(digest: TokenFile.digest(token), principal: Principal(name: name, role: .write))]))
  }

  /// Whether the server made the token; a session that begins with it chooses its name.
  var isMade: Bool { path == nil }

  /// Returns whose token it is, or `nil` for an unknown one.
  func entry(of token: String) -> Entry? {
    let digest = TokenFile.digest(token)
    // All entries are compared, each in the same time, so that the time reveals nothing of the tokens.
    return present.reduce(nil) { found, entry in TokenFile.areEqual(entry.digest, digest) ? entry : found }
  }

  /// Returns whether a token is still in the file.
  func contains(_ entry: Entry) -> Bool { present.contains(entry) }

  private var present: [Entry] {
    guard let path else { return state.withLock { $0.entries } }
    return state.withLock { state in
      // A file that is being replaced, or is wrong, leaves the tokens as they were.
      if let stamp = try? TokenFile.stamp(of: path), stamp != state.stamp, let entries = try? TokenFile.read(path) {
        (state.entries, state.stamp) = (entries, stamp)
      }
      return state.entries
    }
  }

  private static func digest(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }

  private static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0 && a.count == b.count
  }

  /// Each event of each stream asks for it, so it is one call to the system.
  private static func stamp(of path: String) throws -> Stamp {
    var status = stat()
    guard stat(path, &status) == 0 else { throw TokenFile.unreadable(path) }
    guard status.st_mode & 0o077 == 0 else {
      throw ServerConfigurationError(
        "Others may read the token file \(path).", advice: "Run chmod 600 on it, and make new tokens.")
    }
    #if canImport(Darwin)
    let modified = status.st_mtimespec
    #else
    let modified = status.st_mtim
    #endif
    return Stamp(
      seconds: Int(modified.tv_sec), nanoseconds: Int(modified.tv_nsec), size: Int(status.st_size),
      number: UInt64(status.st_ino))
  }

  private static func unreadable(_ path: String) -> ServerConfigurationError {
    ServerConfigurationError(reading: path, "token file")
      ?? ServerConfigurationError(
        "The token file \(path) cannot be read.", advice: "Check its path.", concernsFile: true)
  }

  private static func read(_ path: String) throws -> [Entry] {
    guard let data = FileManager.default.contents(atPath: path) else { throw unreadable(path) }
    guard let text = String(data: data, encoding: .utf8) else {
      throw ServerConfigurationError("The token file \(path) cannot be read.", advice: "Check its path and its text.")
    }
    var entries: [Entry] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let parts = line.split(maxSplits: 2, whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" })
      if parts.isEmpty || parts[0].hasPrefix("#") { continue }
      guard parts.count == 3, let role = Principal.Role(rawValue: String(parts[1])), parts[0].utf8.count >= 16 else {
        throw ServerConfigurationError(
          "Line \(number + 1) of \(path) is no token.",
          advice: "A line is a token of at least 16 characters, read or write, and a name.")
      }
      let principal = Principal(name: String(parts[2].trimmingWhitespace()), role: role)
      entries.append(Entry(digest: digest(String(parts[0])), principal: principal))
    }
    return entries
  }
}

extension Substring {
  /// The text without spaces, tabs and carriage returns at its ends.
  func trimmingWhitespace() -> Substring {
    var text = self
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }
}

#endif
