import Foundation

extension CivilDate {
  /// Creates the day of a time in a time zone.
  package init(_ time: Timestamp, in zone: TimeZone) {
    let date = Date(timeIntervalSince1970: (Double(time.microseconds) / 1_000_000).rounded(.down))
    self.init(time, offsetInSeconds: zone.secondsFromGMT(for: date))
  }
}
