#if Import

import DaybookModel

extension Timestamp {
  /// The beginning of 2001 in UTC, from which Core Data counts, in microseconds since 1970.
  private static let coreDataEpoch: Int64 = 978_307_200_000_000

  /// Creates a time from seconds since 2001-01-01T00:00:00Z, or returns `nil` outside the range.
  ///
  /// Microseconds are rounded before they are moved to 1970: at 7e8 seconds a double has steps of 0.12 microseconds, and
  /// adding first would lose bits.
  init?(secondsSince2001 seconds: Double) {
    let rounded = (seconds * 1_000_000).rounded(.toNearestOrEven)
    guard let microseconds = Int64(exactly: rounded) else { return nil }
    self.init(microsecondsSince2001: microseconds)
  }

  /// Creates a time from whole seconds since 2001-01-01T00:00:00Z, or returns `nil` outside the range.
  init?(secondsSince2001 seconds: Int64) {
    let (microseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !isTooLarge else { return nil }
    self.init(microsecondsSince2001: microseconds)
  }

  private init?(microsecondsSince2001 microseconds: Int64) {
    let (sum, isTooLarge) = microseconds.addingReportingOverflow(Timestamp.coreDataEpoch)
    guard !isTooLarge else { return nil }
    self.init(microseconds: sum)
  }
}

#endif
