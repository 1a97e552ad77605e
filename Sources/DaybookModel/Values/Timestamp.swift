/// A point in time: microseconds since 1970-01-01T00:00:00Z, in a signed 64-bit integer.
///
///     let birthday = Timestamp("2026-01-02T03:04:05.5Z")
///
/// The range is about 292,000 years on either side of 1970. Times print in UTC with `Z`, and with six fraction digits
/// unless these are zero. Leap seconds do not exist, as in POSIX time.
public struct Timestamp: BitwiseCopyable, Hashable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  /// Creates a time from microseconds since the beginning of 1970 in UTC.
  @inlinable
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }
}

extension Timestamp: Comparable {
  @inlinable
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }
}

extension Timestamp: LosslessStringConvertible {
  /// The time in ISO 8601, such as `2026-01-02T03:04:05Z`.
  ///
  /// It has six fraction digits unless these are zero.
  ///
  /// Years before 0 or after 9999 are written with a sign: `-0044-03-15T12:00:00Z`, `+10000-01-01T00:00:00Z`.
  public var description: String {
    let seconds = Int(microseconds).flooredQuotient(dividingBy: 1_000_000)
    let fraction = Int(microseconds).flooredRemainder(dividingBy: 1_000_000)
    let days = seconds.flooredQuotient(dividingBy: 86_400)
    let second = seconds.flooredRemainder(dividingBy: 86_400)
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    let fractionText = fraction == 0 ? "" : "." + fraction.padded(to: 6)
    return CivilDate(daysSince1970: days).dayText + "T" + clock + fractionText + "Z"
  }

  /// Reads a time in ISO 8601, or returns `nil` for other text or a day that does not exist.
  ///
  ///     Timestamp("2026-01-02")                    // midnight, UTC
  ///     Timestamp("2026-01-02 03:04")
  ///     Timestamp("2026-01-02T03:04:05.678901+01:00")
  ///
  /// All forms of RFC 3339 are read. `T` and `Z` may be lower-case. Without a zone the time is UTC. There may be any
  /// number of fraction digits; the digits after the sixth are cut off, so that a time is never later than written. A
  /// leap second, `23:59:60` in UTC at the end of a month, is the first second of the next day, as in POSIX time.
  public init?(_ text: some StringProtocol) {
    var reader = TimestampReader(rest: Substring(text).utf8)
    guard let time = reader.time(), reader.rest.isEmpty else { return nil }
    self = time
  }
}

extension Timestamp {
  /// The forms that ``init(_:)`` reads, for messages.
  package static let forms = "2026-01-02, 2026-01-02T03:04:05.678Z or 2026-01-02T03:04:05+01:00, as in RFC 3339"
}

extension Timestamp: Codable {
  /// Decodes the ISO 8601 form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text)” is not an ISO 8601 time such as \(Timestamp.forms).")
    }
    self = time
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
