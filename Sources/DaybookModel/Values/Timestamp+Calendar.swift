import Foundation

/// The day, week, month and year of a time in UTC, in the form that sections of requests have.
///
///     try rows.update(AuthorMonth.key(author: author, month: commit.time.month)) { $0.commits += 1 }
extension Timestamp {
  /// The day, such as `2026-03-07`.
  public var day: String { CivilDate(self).dayText }
  /// The ISO week, such as `2026-W10`; it begins on Monday and belongs to the year of its Thursday.
  public var week: String { CivilDate(self).weekText }
  /// The month, such as `2026-03`.
  public var month: String { CivilDate(self).monthText }
  /// The year, such as `2026`; one before 0 or after 9999 has a sign.
  public var year: String { CivilDate(self).yearText }
}

/// The same in a time zone.
///
/// The rules of a time zone come from the system. In a projection a fixed offset, `TimeZone(secondsFromGMT:)`, gives the
/// same rows on each machine.
extension Timestamp {
  /// Returns the day in a time zone.
  public func day(in zone: TimeZone) -> String { CivilDate(self, in: zone).dayText }
  /// Returns the ISO week in a time zone.
  public func week(in zone: TimeZone) -> String { CivilDate(self, in: zone).weekText }
  /// Returns the month in a time zone.
  public func month(in zone: TimeZone) -> String { CivilDate(self, in: zone).monthText }
  /// Returns the year in a time zone.
  public func year(in zone: TimeZone) -> String { CivilDate(self, in: zone).yearText }
}
