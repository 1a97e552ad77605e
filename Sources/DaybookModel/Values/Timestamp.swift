/// A point in time: microseconds since 1970-01-01T00:00:00Z, in a signed 64-bit integer.
///
///     let birthday = Timestamp("2026-01-02T03:04:05.5Z")
///
/// The range is about 292,000 years on either side of 1970. Times print in UTC with `Z`, and with six fraction digits
/// unless these are zero. Leap seconds do not exist, as in POSIX time.
public struct Timestamp: Hashable, Sendable {
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
