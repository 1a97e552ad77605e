import DaybookModel

extension FilterLexer {
  /// Reads the built-in word that begins here.
  mutating func builtInWord() throws(QueryError) -> Filter.KeyPath {
    let start = offset
    offset += 1
    let name = "@" + (scalar().map { ModelNames.isStart($0.value) } == true ? try word() : "")
    guard name == Filter.KeyPath.builtInPresent || name == ModelNames.entityWord else {
      let known = "\(Filter.KeyPath.builtInPresent) and \(ModelNames.entityWord)"
      throw error("“\(name.prefix(40))” is not known; there are \(known)", at: start)
    }
    return Filter.KeyPath([name], places: [Place(utf8Offset: start)])
  }

  /// Reads a distance in time, such as `+ 2d`, if one is next.
  ///
  /// - Returns: Microseconds; 0 without a distance.
  mutating func distance() throws(QueryError) -> Int64 {
    var ahead = self
    ahead.skipBlanks()
    guard let sign = ahead.peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return 0 }
    offset = ahead.offset + 1
    skipBlanks()
    let start = offset
    while let unit = peek(), unit &- UInt8(ascii: "0") < 10 { offset += 1 }
    let digits = String(decoding: units[start..<offset], as: UTF8.self)
    let unit = peek().flatMap { RelativeTime.Unit(rawValue: Character(Unicode.Scalar($0))) }
    let isEnd = peek(1).map { !ModelNames.isPart(Unicode.Scalar($0)) && $0 < 128 && $0 != UInt8(ascii: ".") } ?? true
    guard !digits.isEmpty, let unit, isEnd else {
      throw error("a whole number with a unit is expected here: s, m, h, d or w, such as 2d", at: start)
    }
    offset += 1
    guard let count = Int64(digits),
      case (let distance, false) = unit.microseconds.multipliedReportingOverflow(by: count)
    else { throw error("“\(digits.prefix(40))\(unit.rawValue)” is longer than all times", at: start) }
    return sign == UInt8(ascii: "-") ? -distance : distance
  }
}
