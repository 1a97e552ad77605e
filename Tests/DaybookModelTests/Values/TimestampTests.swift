import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct TimestampTests {
  static let times: [(String, Int64, String)] = [
    ("1970-01-01", 0, "1970-01-01T00:00:00Z"), ("1970-01-01T00:00:01Z", 1_000_000, "1970-01-01T00:00:01Z"),
    ("2026-01-02T03:04:05.5Z", 1_767_323_045_500_000, "2026-01-02T03:04:05.500000Z"),
    ("2026-01-02 03:04:05.5", 1_767_323_045_500_000, "2026-01-02T03:04:05.500000Z"),
    ("2026-01-02T03:04", 1_767_323_040_000_000, "2026-01-02T03:04:00Z"),
    ("2026-01-02T04:04:05+01:00", 1_767_323_045_000_000, "2026-01-02T03:04:05Z"),
    ("2026-01-01T21:34:05-0530", 1_767_323_045_000_000, "2026-01-02T03:04:05Z"),
    ("2026-01-02T03:04:05.123456000Z", 1_767_323_045_123_456, "2026-01-02T03:04:05.123456Z"),
    ("2026-01-02T03:04:05.1234567Z", 1_767_323_045_123_456, "2026-01-02T03:04:05.123456Z"),
    ("2026-01-02T03:04:05.999999999999999999999999999999Z", 1_767_323_045_999_999, "2026-01-02T03:04:05.999999Z"),
    ("1969-12-31T23:59:59.9999999Z", -1, "1969-12-31T23:59:59.999999Z"),
    ("2026-01-02t03:04:05z", 1_767_323_045_000_000, "2026-01-02T03:04:05Z"),
    ("1990-12-31T23:59:60Z", 662_688_000_000_000, "1991-01-01T00:00:00Z"),
    ("1990-12-31T15:59:60-08:00", 662_688_000_000_000, "1991-01-01T00:00:00Z"),
    ("2015-07-01t00:59:60.5+01:00", 1_435_708_800_500_000, "2015-07-01T00:00:00.500000Z"),
    ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130_000, "1937-01-01T11:40:27.870000Z"),
    ("2026-01-02T03:04:05-00:00", 1_767_323_045_000_000, "2026-01-02T03:04:05Z"),
    ("1969-12-31T23:59:59.999999Z", -1, "1969-12-31T23:59:59.999999Z"),
    ("2000-02-29", 951_782_400_000_000, "2000-02-29T00:00:00Z"),
    ("0000-01-01", -62_167_219_200_000_000, "0000-01-01T00:00:00Z"),
    ("-0001-12-31T00:00:00Z", -62_167_305_600_000_000, "-0001-12-31T00:00:00Z"),
    ("9999-12-31T23:59:59Z", 253_402_300_799_000_000, "9999-12-31T23:59:59Z"),
    ("+10000-01-01", 253_402_300_800_000_000, "+10000-01-01T00:00:00Z"),
    ("+2026-01-02", 1_767_312_000_000_000, "2026-01-02T00:00:00Z"),
    ("+294247-01-10T04:00:54.775807Z", Int64.max, "+294247-01-10T04:00:54.775807Z"),
    ("-290308-12-21T19:59:05.224192Z", Int64.min, "-290308-12-21T19:59:05.224192Z"),
  ]

  @Test(arguments: times)
  func readsAndWrites(text: String, microseconds: Int64, printed: String) {
    #expect(Timestamp(text)?.microseconds == microseconds)
    #expect(Timestamp(microseconds: microseconds).description == printed)
  }

  @Test(arguments: [
    "", "2026", "2026-01", "2026-1-2", "26-01-02", "2026-13-01", "2026-00-01", "2026-01-00", "2026-02-29", "1900-02-29",
    "2026-04-31", "2026-01-02T", "2026-01-02T03", "2026-01-02T24:00:00Z", "2026-01-02T03:60", "2026-01-02T03:04:60Z",
    "2026-01-02T03:04:05.", "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05.12345678x", "2026-01-02T03:04:05,5Z",
    "2026-01-02T23:59:60Z", "1990-12-31T23:59:61Z", "1990-12-31T23:59:60-08:00", "1990-12-31T23:58:60Z",
    "2026-01-02T03:04:05+1:00", "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05+01:60", "2026-01-02T03:04:05+01",
    "2026-01-02Z", "2026-01-02T03:04:05ZZ", "2026-01-02T03:04:05Z ", " 2026-01-02", "20260102", "10000-01-01",
    "-0000-01-01", "+0002026-01-01", "+294247-01-10T04:00:54.775808Z", "-290308-12-21T19:59:05.224191Z",
    "2026-01-02x03:04:05Z", "2026-01-02T03:04:05y", "２０２６-01-02", "2026-01-02T03:04:05\u{301}Z",
  ])
  func refuses(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func everyTimeComesBack() {
    var random = SeededRandom(seed: Seeds.one)
    for _ in 0..<50_000 {
      let time = Timestamp(microseconds: random.integer())
      #expect(Timestamp(time.description) == time, "seed \(random.seed)")
    }
  }

  /// Compares with days that are counted one by one.
  @Test func daysFollowEachOther() {
    var (year, month, day) = (1583, 1, 1)
    var days = CivilDate(year: year, month: month, day: day)!.daysSince1970
    // 1583-01-01 was a Saturday.
    var weekday = 5
    var previousWeek = CivilDate(daysSince1970: days - 1).weekText
    while year < 2805 {
      let date = CivilDate(daysSince1970: days)
      #expect(date == CivilDate(year: year, month: month, day: day))
      #expect(date.daysSince1970 == days)
      if year == 1970, month == 1, day == 1 { #expect(days == 0 && weekday == 3) }
      // A new week begins on Monday, and the fourth of January is in the first week.
      #expect((date.weekText != previousWeek) == (weekday == 0))
      if month == 1, day == 4 { #expect(date.week == (year, 1)) }
      previousWeek = date.weekText
      let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
      let counts = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      (days, weekday, day) = (days + 1, (weekday + 1) % 7, day + 1)
      if day > counts[month - 1] { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
  }

  @Test func agreesWithFoundation() throws {
    var random = SeededRandom(seed: Seeds.one)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for _ in 0..<500 {
      let seconds = Int.random(in: -10_000_000_000...200_000_000_000, using: &random)
      let parts = calendar.dateComponents([.year, .month, .day], from: Date(timeIntervalSince1970: Double(seconds)))
      let date = CivilDate(Timestamp(microseconds: Int64(seconds) * 1_000_000))
      #expect(date.year == parts.year && date.month == parts.month && date.day == parts.day, "seed \(random.seed)")
    }
  }

  @Test(arguments: [
    ("2026-01-02T03:04:05Z", 0, "2026-01-02", "2026-W01", "2026-01", "2026"),
    ("2026-01-02T03:04:05Z", -4 * 3_600, "2026-01-01", "2026-W01", "2026-01", "2026"),
    ("2025-12-31T23:30:00Z", 0, "2025-12-31", "2026-W01", "2025-12", "2025"),
    ("2025-12-31T23:30:00Z", 3_600, "2026-01-01", "2026-W01", "2026-01", "2026"),
    ("2021-01-03T00:00:00Z", 0, "2021-01-03", "2020-W53", "2021-01", "2021"),
    ("1969-12-31T23:59:59.999999Z", 0, "1969-12-31", "1970-W01", "1969-12", "1969"),
    ("-0044-03-15T12:00:00Z", 0, "-0044-03-15", "-0044-W11", "-0044-03", "-0044"),
    ("+12345-06-07", 0, "+12345-06-07", "+12345-W23", "+12345-06", "+12345"),
  ])
  func namesDaysWeeksMonthsAndYears(
    text: String, offset: Int, day: String, week: String, month: String, year: String
  ) throws {
    let date = CivilDate(try #require(Timestamp(text)), offsetInSeconds: offset)
    #expect([date.dayText, date.weekText, date.monthText, date.yearText] == [day, week, month, year])
  }

  @Test func namesTheDaysOfTheExtremes() {
    for microseconds in [Int64.min, .max] {
      for offset in [-86_399, 0, 86_399] {
        let date = CivilDate(Timestamp(microseconds: microseconds), offsetInSeconds: offset)
        #expect(CivilDate(daysSince1970: date.daysSince1970) == date)
        #expect(!date.weekText.isEmpty)
      }
    }
  }

  @Test func isCodableAsText() throws {
    let time = try #require(Timestamp("2026-01-02T03:04:05.5Z"))
    let data = try JSONEncoder().encode([time])
    #expect(String(decoding: data, as: UTF8.self) == "[\"2026-01-02T03:04:05.500000Z\"]")
    #expect(try JSONDecoder().decode([Timestamp].self, from: data) == [time])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Timestamp].self, from: Data("[\"x\"]".utf8)) }
  }

  @Test func aDateIsTheSameTimeToTheMicrosecond() {
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123456)
    #expect(Timestamp(date) == Timestamp("2023-03-08T20:26:40.123456Z"))
    #expect(Date(Timestamp(date)) == date)
    #expect(Timestamp(Date(timeIntervalSince1970: 0)) == Timestamp(microseconds: 0))
    // Half of a microsecond is rounded to the even one.
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: 0.0000005)) == Timestamp("2001-01-01"))
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: 1e300)) == Timestamp(microseconds: .max))
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: -.infinity)) == Timestamp(microseconds: .min))
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: .nan)) == Timestamp(microseconds: .max))
  }
}
