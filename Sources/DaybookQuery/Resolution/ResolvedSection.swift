import DaybookModel
import Foundation

/// The division of a request's rows into sections.
///
/// The section value is the first of a row's sort values. It is derived from the attribute's value: for a day, a week,
/// a month or a year its number, counted in time, for an initial a string, otherwise the value itself; null for null
/// and for the empty string, which are one section. So rows are in the same section if their section values are equal.
package struct ResolvedSection: Sendable {
  package let path: ResolvedPath
  package let transform: SectionKey.Transform
  package let isDescending: Bool
  /// Whether null comes at the other end than the direction has it.
  package let movesNull: Bool
  /// Whether the initial of strings that begin with no letter comes at the other end than the direction has it.
  package let movesOthers: Bool
  let clock: ZoneClock
  /// The places of sections in the explicit order, by the UTF-8 bytes of their names.
  ///
  /// Empty without one.
  private let places: [[UInt8]: Int]
  /// The place after the explicit order.
  ///
  /// Not the number of its names, since a name may be listed twice.
  private let lastPlace: Int

  /// - Parameters:
  ///   - key: The key, whose path and transform are resolved.
  ///   - transform: The key's, or none if its name was found to be the last name of the path.
  init(_ key: SectionKey, path: ResolvedPath, transform: SectionKey.Transform, clock: ZoneClock) {
    self.path = path
    self.transform = transform
    isDescending = key.isDescending
    movesNull = key.nils?.isMove(ofLeastIn: key.isDescending) ?? false
    movesOthers = key.others?.isMove(ofLeastIn: key.isDescending) ?? false
    self.clock = clock
    let order = key.order ?? []
    places = Dictionary(
      order.enumerated().map { (Array($1.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    lastPlace = order.count
  }

  /// Makes the section of a key of declared groups, in UTC.
  init(_ key: ResolvedGroups.Key) {
    self.init(SectionKey(path: [], transform: key.transform), path: key.path, transform: key.transform, clock: .utc)
  }

  /// Whether the section values are the same in UTC.
  var isTheSameInUTC: Bool { type != .integer || transform == .none || clock.isUTC }

  /// The type of the section values.
  package var type: AttributeType {
    switch transform {
    case .none: path.type
    case .day, .week, .month, .year: .integer
    case .initial: .string
    }
  }

  package var order: StringOrder {
    switch transform {
    case .none: path.order
    case .initial: path.order.locale.map { ._locale($0) } ?? .codepoint
    case .day, .week, .month, .year: .codepoint
    }
  }

  /// Whether sections have an explicit order.
  package var hasExplicitOrder: Bool { !places.isEmpty }

  /// Returns the place of a section in the explicit order, which precedes the order of values.
  package func place(of value: Value) -> Int {
    hasExplicitOrder ? places[Array(name(of: value).utf8)] ?? lastPlace : 0
  }

  /// Returns whether a section value comes after all others but a moved null, before the direction is applied.
  package func isMoved(_ value: Value) -> Bool {
    guard movesOthers, case .string(let initial) = value else { return false }
    return initial == ResolvedSection.other
  }

  /// The end at which the section `#` comes, or `nil` for the one that the direction gives.
  var movedOthers: EndPlacement? { movesOthers ? isDescending ? .first : .last : nil }

  /// The initial of strings that begin with no letter.
  private static let other = "#"

  /// Compares two sections by all that precedes the order of values: the explicit order, and the placements of null and
  /// `#`; returns a number below, equal to or above zero.
  func comparePlaces(of a: Value, _ b: Value) -> Int {
    let difference = place(of: a) - place(of: b)
    return difference != 0 ? difference : end(of: a) - end(of: b)
  }

  /// Returns a greater number for values that come after the others, before the direction is applied.
  private func end(of value: Value) -> Int { movesNull && value.isNull ? 2 : isMoved(value) ? 1 : 0 }

  /// Returns the section value for a value of the path.
  package func value(of raw: Value) -> Value {
    switch (raw, transform) {
    case (.string(let text), _) where text.isEmpty: .null
    case (.date(let time), .day): .integer(Int64(clock.day(of: time).daysSince1970))
    case (.date(let time), .week): .integer(Int64(ResolvedSection.week(of: clock.day(of: time))))
    case (.date(let time), .month): .integer(Int64(ResolvedSection.month(of: clock.day(of: time))))
    case (.date(let time), .year): .integer(Int64(clock.day(of: time).year))
    case (.string(let text), .initial): .string(ResolvedSection.initial(of: text, in: path.order.locale))
    default: raw
    }
  }

  /// Returns the name of the section with a value.
  package func name(of value: Value) -> String {
    guard case .integer(let number) = value, transform != .none else { return value.text }
    let count = Int(number)
    return switch transform {
    case .day: CivilDate(daysSince1970: count).dayText
    case .week: CivilDate(daysSince1970: count * 7).weekText
    case .month: ResolvedSection.firstDay(ofMonth: count).monthText
    case .year: ResolvedSection.firstDay(ofMonth: count * 12).yearText
    case .none, .initial: value.text
    }
  }

  /// Returns the number of weeks since the week of 1970-01-01, which was a Thursday.
  ///
  /// `number * 7` is the Thursday of the week.
  private static func week(of day: CivilDate) -> Int {
    let shifted = day.daysSince1970 + 3
    return shifted >= 0 ? shifted / 7 : (shifted - 6) / 7
  }

  private static func month(of day: CivilDate) -> Int { day.year * 12 + day.month - 1 }

  private static func firstDay(ofMonth number: Int) -> CivilDate {
    let month = (number % 12 + 12) % 12
    let year = (number - month) / 12
    guard let day = CivilDate(year: year, month: month + 1, day: 1) else {
      preconditionFailure("month \(number) is beyond all times")
    }
    return day
  }

  private static func initial(of text: String, in locale: _TextLocale?) -> String {
    guard let first = text.first, first.isLetter else { return other }
    if let letter = locale?.collator?.initial(of: text) { return letter }
    if first.isASCII { return first.uppercased() }
    // Composed and decomposed forms of a letter are one section. The upper case of some letters can be composed again.
    return String(first).precomposedStringWithCanonicalMapping.uppercased().precomposedStringWithCanonicalMapping
  }
}

/// Computes the day of a time in a time zone.
package struct ZoneClock: Sendable {
  /// The time zone, or `nil` for UTC, which needs no tables.
  private let zone: TimeZone?

  /// - Returns: `nil` if the system does not know the zone.
  init?(_ identifier: String) {
    switch identifier {
    case "UTC", "Z", "GMT", "Etc/UTC":
      zone = nil
      return
    default: break
    }
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    self.zone = zone
  }

  static let utc = ZoneClock(zone: nil)

  private init(zone: TimeZone?) { self.zone = zone }

  var isUTC: Bool { zone == nil }

  /// Whether a later time never falls on an earlier day.
  ///
  /// In a named zone it can, if clocks were once set back over midnight.
  var isMonotone: Bool { isUTC }

  func day(of time: Timestamp) -> CivilDate {
    zone.map { CivilDate(time, in: $0) } ?? CivilDate(time)
  }
}
