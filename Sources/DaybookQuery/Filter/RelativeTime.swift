import DaybookModel

/// The present time, or a time at a fixed distance from it, with which a filter compares dates.
///
///     Task.where { $0.due < .present + .days(2) }        // due < @now + 2d
///     Task.where { $0.lastSeen < .present - .hours(1) }  // lastSeen < @now - 1h
///
/// What the present time is depends on what is read. A fetch, a count and live results read the store's clock
/// (`StoreOptions.clock`), and live results move when the moment comes. A past position and a difference between two
/// positions read the times at which their commits were recorded, so they are always the same.
///
/// Rules of the model, append conditions and the states around a commit that a projection reads refuse it, because
/// they must not depend on the time.
public struct RelativeTime: Hashable, Sendable {
  /// The distance from the present time, in microseconds; negative for an earlier time.
  let microseconds: Int64

  /// The present time.
  public static let present = RelativeTime(microseconds: 0)

  /// Returns the time that is later by a distance.
  public static func + (time: RelativeTime, distance: Distance) -> RelativeTime {
    RelativeTime(microseconds: clamped(time.microseconds.saturatingAdding(distance.microseconds)))
  }

  /// Returns the time that is earlier by a distance.
  public static func - (time: RelativeTime, distance: Distance) -> RelativeTime {
    RelativeTime(microseconds: clamped(time.microseconds.saturatingAdding(-distance.microseconds)))
  }

  /// Returns the nearest number of microseconds that is one of whole seconds, as a text has it, and has an opposite.
  private static func clamped(_ microseconds: Int64) -> Int64 {
    let limit = Int64.max / Unit.second.microseconds * Unit.second.microseconds
    return min(max(microseconds, -limit), limit)
  }

  /// Returns the time for a present time.
  func time(at now: Timestamp) -> Timestamp {
    Timestamp(microseconds: now.microseconds.saturatingAdding(microseconds))
  }

  /// A fixed distance between two times; a day always has 24 hours.
  ///
  /// A distance beyond the range of ``Timestamp`` is the greatest one.
  public struct Distance: Hashable, Sendable {
    let microseconds: Int64

    private init(_ count: Int, _ unit: Unit) {
      let (product, overflow) = unit.microseconds.multipliedReportingOverflow(by: Int64(count))
      microseconds = RelativeTime.clamped(overflow ? (count < 0 ? .min : .max) : product)
    }

    /// Creates a distance in seconds.
    public static func seconds(_ count: Int) -> Distance { Distance(count, .second) }
    /// Creates a distance in minutes.
    public static func minutes(_ count: Int) -> Distance { Distance(count, .minute) }
    /// Creates a distance in hours.
    public static func hours(_ count: Int) -> Distance { Distance(count, .hour) }
    /// Creates a distance in days of 24 hours.
    public static func days(_ count: Int) -> Distance { Distance(count, .day) }
    /// Creates a distance in weeks of seven days.
    public static func weeks(_ count: Int) -> Distance { Distance(count, .week) }
  }

  /// The units of distances in a filter's text, the longest first.
  enum Unit: Character, CaseIterable {
    case week = "w"
    case day = "d"
    case hour = "h"
    case minute = "m"
    case second = "s"

    var microseconds: Int64 {
      switch self {
      case .week: 7 * Unit.day.microseconds
      case .day: 24 * Unit.hour.microseconds
      case .hour: 3_600_000_000
      case .minute: 60_000_000
      case .second: 1_000_000
      }
    }
  }
}

extension RelativeTime {
  /// Writes the distance behind the word for the present time; nothing without a distance.
  func writeDistance(to text: inout String) {
    guard microseconds != 0 else { return }
    let unit = Unit.allCases.first { microseconds % $0.microseconds == 0 } ?? .second
    text += microseconds < 0 ? " - " : " + "
    text += "\((microseconds / unit.microseconds).magnitude)\(unit.rawValue)"
  }
}

extension FixedWidthInteger {
  /// Returns the sum, or the nearest number if the sum is out of range.
  func saturatingAdding(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
