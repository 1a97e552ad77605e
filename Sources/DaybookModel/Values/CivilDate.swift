/// A day of the Gregorian calendar, extended to all years; year 0 is 1 BC, as in ISO 8601.
///
/// The arithmetic is implemented here, so that days and weeks are the same on all platforms and need no calendar
/// objects.
package struct CivilDate: Hashable, Sendable, Comparable {
  package let year: Int
  /// From 1 to 12.
  package let month: Int
  /// From 1 to 31.
  package let day: Int

  /// Creates a day, or `nil` if the calendar lacks it or its year is beyond ±999,999.
  package init?(year: Int, month: Int, day: Int) {
    guard (-999_999...999_999).contains(year), (1...12).contains(month), day >= 1,
      day <= CivilDate.dayCount(of: month, in: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the day at a distance from 1970-01-01.
  ///
  /// The computation begins years in March, so that the leap day is the last; years form eras of 400, which all have
  /// 146,097 days.
  package init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(dividingBy: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Creates the day of a time at an offset from UTC.
  package init(_ time: Timestamp, offsetInSeconds: Int = 0) {
    let seconds = Int(time.microseconds).flooredQuotient(dividingBy: 1_000_000) + offsetInSeconds
    self.init(daysSince1970: seconds.flooredQuotient(dividingBy: 86_400))
  }

  package var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.flooredQuotient(dividingBy: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  package static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  package static func dayCount(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  package static func < (a: CivilDate, b: CivilDate) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }
}

extension CivilDate {
  /// The ISO week of the day: weeks begin on Monday and belong to the year of their Thursday.
  package var week: (year: Int, number: Int) {
    let days = daysSince1970
    // 1970-01-01 was a Thursday.
    let daysSinceMonday = (days + 3).flooredRemainder(dividingBy: 7)
    let thursday = CivilDate(daysSince1970: days - daysSinceMonday + 3)
    let firstOfYear = CivilDate(year: thursday.year, month: 1, day: 1)?.daysSince1970 ?? 0
    return (thursday.year, (thursday.daysSince1970 - firstOfYear) / 7 + 1)
  }

  /// `2026-01-02`
  package var dayText: String { monthText + "-" + day.padded(to: 2) }
  /// `2026-W01`
  package var weekText: String { CivilDate.text(ofYear: week.year) + "-W" + week.number.padded(to: 2) }
  /// `2026-01`
  package var monthText: String { yearText + "-" + month.padded(to: 2) }
  /// `2026`
  package var yearText: String { CivilDate.text(ofYear: year) }

  /// Returns the year in four digits, or in the expanded form of ISO 8601.
  ///
  /// A year before 0 or after 9999 has a sign and may have more digits.
  static func text(ofYear year: Int) -> String {
    let digits = abs(year).padded(to: 4)
    return year < 0 ? "-" + digits : year > 9_999 ? "+" + digits : digits
  }
}

extension Int {
  /// Returns the quotient, rounded down; the divisor must be positive.
  func flooredQuotient(dividingBy divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }

  /// Returns the non-negative remainder; the divisor must be positive.
  ///
  /// Multiplying the rounded quotient could overflow.
  func flooredRemainder(dividingBy divisor: Int) -> Int {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }

  /// Returns the digits of a non-negative number, with leading zeros.
  func padded(to count: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
  }
}
