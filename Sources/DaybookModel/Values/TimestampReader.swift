/// Reads the parts of an ISO 8601 time, in all forms that RFC 3339 allows, from start to end.
struct TimestampReader {
  var rest: Substring.UTF8View

  /// Reads a date, and the time of day and the zone if present.
  mutating func time() -> Timestamp? {
    guard let date = date() else { return nil }
    let seconds = date.daysSince1970 * 86_400
    guard take(UInt8(ascii: "T")) || take(UInt8(ascii: "t")) || take(UInt8(ascii: " ")) else {
      return timestamp(seconds: seconds, fraction: 0)
    }
    guard let clock = clock(), let offset = zone() else { return nil }
    let second = seconds + clock.second - offset
    if clock.isLeapSecond, !isStartOfMonth(second) { return nil }
    return timestamp(seconds: second, fraction: clock.fraction)
  }

  /// Whether a month begins with a second in UTC; a leap second can only be inserted before it.
  private func isStartOfMonth(_ second: Int) -> Bool {
    second.flooredRemainder(dividingBy: 86_400) == 0
      && CivilDate(daysSince1970: second.flooredQuotient(dividingBy: 86_400)).day == 1
  }

  /// Returns the time, or `nil` if 64 bits cannot hold it.
  private func timestamp(seconds: Int, fraction: Int) -> Timestamp? {
    Int64(exactly: Int128(seconds) * 1_000_000 + Int128(fraction)).map { Timestamp(microseconds: $0) }
  }

  private mutating func date() -> CivilDate? {
    guard let year = year(), take(UInt8(ascii: "-")), let month = twoDigits(), take(UInt8(ascii: "-")),
      let day = twoDigits()
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// Reads a year: four digits, or four to six digits after a sign.
  private mutating func year() -> Int? {
    let isNegative = rest.first == UInt8(ascii: "-")
    let isSigned = isNegative || rest.first == UInt8(ascii: "+")
    if isSigned { rest.removeFirst() }
    let run = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard run.count == 4 || isSigned && (5...6).contains(run.count) else { return nil }
    guard let year = number(digits: run.count) else { return nil }
    guard !isNegative || year != 0 else { return nil }
    return isNegative ? -year : year
  }

  /// Reads a time of day.
  ///
  /// The second 60 is the first one of the next minute, as in POSIX time.
  private mutating func clock() -> (second: Int, fraction: Int, isLeapSecond: Bool)? {
    guard let hour = twoDigits(), hour < 24, take(UInt8(ascii: ":")), let minute = twoDigits(), minute < 60 else {
      return nil
    }
    guard take(UInt8(ascii: ":")) else { return (hour * 3_600 + minute * 60, 0, false) }
    guard let second = twoDigits(), second <= 60, let fraction = fraction() else { return nil }
    return (hour * 3_600 + minute * 60 + second, fraction, second == 60)
  }

  /// Reads microseconds, and skips finer digits; returns zero without a fraction, or `nil` if it is wrong.
  private mutating func fraction() -> Int? {
    guard take(UInt8(ascii: ".")) else { return 0 }
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard !digits.isEmpty, var microseconds = number(digits: min(digits.count, 6)) else { return nil }
    for _ in 0..<max(0, 6 - digits.count) { microseconds *= 10 }
    rest = rest[digits.endIndex...]
    return microseconds
  }

  /// Reads the seconds ahead of UTC; returns zero without a zone, or `nil` if it is wrong.
  private mutating func zone() -> Int? {
    if rest.isEmpty || take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard isWest || rest.first == UInt8(ascii: "+") else { return nil }
    rest.removeFirst()
    guard let hours = twoDigits(), hours < 24 else { return nil }
    _ = take(UInt8(ascii: ":"))
    guard let minutes = twoDigits(), minutes < 60 else { return nil }
    let offset = hours * 3_600 + minutes * 60
    return isWest ? -offset : offset
  }

  private mutating func twoDigits() -> Int? { number(digits: 2) }

  private mutating func number(digits count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = rest.first, digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
      rest.removeFirst()
    }
    return value
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }
}
