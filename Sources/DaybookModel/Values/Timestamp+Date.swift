import Foundation

extension Timestamp {
  /// Creates the time of a date, rounded to the nearest microsecond.
  ///
  ///     let past = try store.at(Timestamp(Date(timeIntervalSinceNow: -3_600)))
  ///
  /// A date outside of the range is the first or the last time.
  public init(_ date: Date) {
    // A date counts from 2001, and has more digits there than from 1970.
    let since2001 = (date.timeIntervalSinceReferenceDate * 1_000_000).rounded(.toNearestOrEven)
    guard let microseconds = Int64(exactly: since2001) else {
      self.init(microseconds: since2001 < 0 ? .min : .max)
      return
    }
    let offset = Int64(Date.timeIntervalBetween1970AndReferenceDate) * 1_000_000
    let (sum, isTooLarge) = microseconds.addingReportingOverflow(offset)
    self.init(microseconds: isTooLarge ? .max : sum)
  }
}

extension Date {
  /// Creates the date of a time, as exactly as a date can be: to a microsecond until about the year 2280.
  public init(_ time: Timestamp) {
    let offset = Int64(Date.timeIntervalBetween1970AndReferenceDate) * 1_000_000
    let (difference, isTooLarge) = time.microseconds.subtractingReportingOverflow(offset)
    self.init(timeIntervalSinceReferenceDate: Double(isTooLarge ? .min : difference) / 1_000_000)
  }
}
