import DaybookModel
import Foundation

/// Computes the day of a time in a time zone.
package struct ZoneClock: Sendable {
  /// The time zone, or `nil` for UTC, which needs no tables.
  private let zone: TimeZone?

  /// - Returns: `nil` if the system does not know the zone.
  init?(_ identifier: String) {
    if ["UTC", "Z", "GMT", "Etc/UTC"].contains(identifier) {
      zone = nil
      return
    }
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    self.zone = zone
  }

  /// Whether a later time never falls on an earlier day.
  ///
  /// In a named zone it can, if clocks were once set back over midnight.
  var isMonotone: Bool { zone == nil }

  func day(of time: Timestamp) -> CivilDate {
    guard let zone else { return CivilDate(time) }
    let date = Date(timeIntervalSince1970: (Double(time.microseconds) / 1_000_000).rounded(.down))
    return CivilDate(time, offsetInSeconds: zone.secondsFromGMT(for: date))
  }
}
