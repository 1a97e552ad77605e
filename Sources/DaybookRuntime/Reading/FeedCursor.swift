import DaybookEngine
import DaybookModel

/// What a consumer has of a feed: a commit, and the rows of the projections that its requests reach.
///
///     for try await change in store.changes(of: AuthorMonth.all, from: saved) {
///       table = try table.applying(change.difference)
///       saved = change.cursor
///     }
///
/// The rows of a projection are rebuilt by a new version, or by command; what was delivered of the former ones is then of
/// no use. So a cursor names the rows beside the position, and a feed from a cursor of other rows begins with a reset. The
/// same is true of a cursor whose commit another journal has.
///
/// The result of a request whose filter names the present time (``RelativeTime``) depends on the time too, so its cursor
/// has the time at which the result was read. A cursor without it is of the time at which its commit was recorded.
///
/// Its text form, `POSITION-HASH8-TMICROSECONDS~PROJECTION.VERSION.ROWS`, is the one of an event's `id` over HTTP; the
/// time and the rows are left out unless they count.
public struct FeedCursor: Hashable, Sendable {
  /// The last commit that was delivered.
  public let position: Position
  /// The first four bytes of the commit's hash; `nil` if it is not known.
  package let hash: UInt32?
  /// The rows of projections; no parts for stored objects alone.
  package let stamp: ScopeStamp?
  /// The time of the results, if they depend on it; `nil` for the time at which the commit was recorded.
  package let time: Timestamp?

  /// - Parameter stamp: `nil` if there are no rows yet.
  package init(position: Position, hash: UInt32? = nil, stamp: ScopeStamp?, time: Timestamp? = nil) {
    (self.position, self.hash, self.stamp, self.time) = (position, hash, stamp, time)
  }

  package init(position: Position, hash: Digest, stamp: ScopeStamp?, time: Timestamp? = nil) {
    self.init(position: position, hash: hash.firstWord, stamp: stamp, time: time)
  }

  /// The cursor of a consumer that has nothing.
  package static let start = FeedCursor(position: .empty, stamp: nil)

  /// Creates the cursor of a position alone, as of requests for stored objects.
  ///
  /// A feed of requests that reach a projection begins with a reset from it, unless the position is 0.
  public init(_ position: Position) {
    self.init(position: position, stamp: position == .empty ? nil : .stored)
  }
}

extension FeedCursor: LosslessStringConvertible {
  public var description: String {
    var text = "\(position)"
    if let hash {
      var bytes: [UInt8] = []
      bytes.appendFixed(hash)
      text += "-" + hexadecimalText(of: bytes.rawSpan)
    }
    if let time { text += "-T\(time.microseconds)" }
    for part in stamp?.parts ?? [] { text += "~\(part.projection).\(part.version).\(part.fold)" }
    return text
  }

  /// Reads the text form; `nil` for another text.
  public init?(_ description: String) {
    var fields = description.split(separator: "~", omittingEmptySubsequences: false)
    var text = fields.removeFirst()
    var time: Timestamp?
    if let mark = text.firstRange(of: "-T") {
      let digits = text[mark.upperBound...]
      guard let number = Int64(digits), digits.drop(while: { $0 == "-" }).utf8.allSatisfy(isDigit) else { return nil }
      time = Timestamp(microseconds: number)
      text = text[..<mark.lowerBound]
    }
    let head = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(head.count), let number = UInt64(head[0]), head[0].utf8.allSatisfy(isDigit) else {
      return nil
    }
    var hash: UInt32?
    if head.count == 2 {
      guard head[1].utf8.count == 8, let value = UInt32(head[1], radix: 16), head[1].utf8.allSatisfy(isHexDigit) else {
        return nil
      }
      hash = value
    }
    var parts: [ScopeStamp.Part] = []
    for field in fields {
      let names = field.split(separator: ".", omittingEmptySubsequences: false)
      guard names.count == 3, !names[0].isEmpty, let version = UInt64(names[1]), let rows = UInt64(names[2]) else {
        return nil
      }
      parts.append(ScopeStamp.Part(projection: String(names[0]), version: version, fold: rows))
    }
    let position = Position(number)
    self.init(position: position, hash: hash, stamp: position == .empty ? nil : ScopeStamp(parts: parts), time: time)
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func isHexDigit(_ byte: UInt8) -> Bool {
  isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
}

/// A cursor is encoded as its text form.
extension FeedCursor: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let cursor = FeedCursor(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is not the cursor of a feed.")
    }
    self = cursor
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

private extension Digest {
  var firstWord: UInt32 { UInt32(truncatingIfNeeded: words.0 >> 32) }
}
