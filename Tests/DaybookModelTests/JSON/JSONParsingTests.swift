import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct JSONParsingTests {
  static let values: [(String, JSONValue)] = [
    ("null", JSONValue.null), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("1.0", .number(1)), ("1.50", .number(1.5)), ("1e3", .number(1000)), ("1E+3", .number(1000)),
    ("25e-1", .number(2.5)),
    ("0.1", .number(0.1)), ("5e-324", .number(.leastNonzeroMagnitude)), ("-0.0", .number(0)), ("0e5", .number(0)),
    ("9223372036854775808", .literal("9223372036854775808")), ("1e400", .literal("1e400")),
    ("1e-400", .literal("1e-400")), ("0.12345678901234567890", .literal("0.12345678901234567890")),
    ("\"\"", ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{c}\n\r\tz"), (#""\u0041\u00e9\ud83c\udf82""#, "Aé🎂"),
    ("\"\u{7f}\"", "\u{7f}"), ("[]", []), ("{}", [:]), ("[1, [2], {\"a\": null}]", [1, [2], ["a": .null]]),
    ("\u{feff}[1]", [1]), ("{\"b\": 1, \"a\": 2}", ["b": 1, "a": 2]),
    ("{\"é\": 1, \"e\u{301}\": 2}", ["é": 1, "e\u{301}": 2]),
  ]

  @Test(arguments: values)
  func readsValues(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test(arguments: [
    ("2", 2), ("2.0", 2), ("2e0", 2), ("20e-1", 2), ("-0.0", 0), ("9007199254740992.0", 9_007_199_254_740_992),
    ("9223372036854775807", Int64.max), ("2.5", nil), ("9007199254740994.0", nil), ("1e400", nil), ("\"2\"", nil),
  ])
  func aNumberWithoutAFractionIsAnIntegerHoweverItIsWritten(text: String, integer: Int64?) throws {
    #expect(try JSONValue(parsing: text).integerValue == integer)
  }

  static let mistakes: [(String, Int, Int, String)] = [
    ("", 1, 1, "expected a JSON value, but found the end"), ("nul", 1, 1, "expected a JSON value, but found “n”"),
    ("[1,]", 1, 4, "expected a JSON value, but found “]”"), ("[1 2]", 1, 4, "expected “,” or “]”, but found “2”"),
    ("{\"a\" 1}", 1, 6, "expected “:” after the key"), ("{a: 1}", 1, 2, "expected a key in quotes"),
    ("{\"a\": 1,}", 1, 9, "expected a key in quotes"), ("{\"a\": 1", 1, 8, "expected “,” or “}”, but found the end"),
    ("{\"a\": 1, \"a\": 2}", 1, 10, "the key “a” is there twice"), ("1 2", 1, 3, "nothing may follow the value"),
    ("[\n  1,\n  é]", 3, 3, "expected a JSON value, but found “é”"), ("[\"éé\", x]", 1, 8, "found “x”"),
    ("\"a", 1, 3, "no closing quote"), ("\"a\nb\"", 1, 3, "control character in a string; write it as \\u000a"),
    (#""\x""#, 1, 2, "no escape begins like this"), (#""\u12g4""#, 1, 2, "four hexadecimal digits"),
    (#""\ud800""#, 1, 2, "half of a surrogate pair"), (#""\udc00x""#, 1, 2, "half of a surrogate pair"),
    (#""\ud800\u0041""#, 1, 2, "half of a surrogate pair"), ("01", 1, 1, "may not begin with 0"),
    ("-", 1, 2, "expected a digit"), ("1.", 1, 3, "expected a digit"), ("1e", 1, 3, "expected a digit"),
    (".5", 1, 1, "expected a JSON value"), ("+1", 1, 1, "expected a JSON value"),
    ("NaN", 1, 1, "expected a JSON value"),
    ("'a'", 1, 1, "expected a JSON value"), ("[1]\0", 1, 4, "nothing may follow the value"),
  ]

  @Test(arguments: mistakes)
  func saysWhereATextIsWrong(text: String, line: Int, column: Int, message: String) throws {
    let error = try #require(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error.line == line && error.column == column, "\(error)")
    #expect(error.message.contains(message))
  }

  @Test(arguments: [
    ([0x22, 0xff, 0x22], 2), ([0x22, 0xc3, 0xa9, 0xc3, 0x22], 3), ([0x22, 0xed, 0xa0, 0x80, 0x22], 2),
    ([0x22, 0xc0, 0x80, 0x22], 2),
  ])
  func refusesWhatIsNotUTF8(bytes: [UInt8], column: Int) throws {
    let error = try #require(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    #expect(error.message == "a byte that is not UTF-8")
    #expect(error.column == column)
  }

  @Test func limitsTheDepth() throws {
    let deepest = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    #expect(try JSONValue(parsing: deepest).text == deepest)
    let error = try #require(throws: JSONError.self) { try JSONValue(parsing: "[" + deepest + "]") }
    #expect(error.description == "line 1, column 201: nested more than 200 deep")
  }

  /// Few keys are compared one by one, many are hashed.
  ///
  /// The test covers each number of keys, with each key duplicated.
  @Test func findsADuplicateAmongAnyNumberOfKeys() throws {
    for count in 1...24 {
      let members = (0..<count).map { "\"k\($0)\": \($0)" }.joined(separator: ", ")
      #expect(try JSONValue(parsing: "{\(members)}").members?.count == count)
      for key in 0..<count {
        #expect(throws: JSONError.self) { try JSONValue(parsing: "{\(members), \"k\(key)\": 0}") }
      }
    }
  }

  @Test func givesAccessToParts() throws {
    let value = try JSONValue(parsing: #"{"a": [1, 2.5, "x", true, null], "é": 18446744073709551615}"#)
    #expect(value["a"]?[0]?.integerValue == 1)
    #expect(value["a"]?[1]?.doubleValue == 2.5)
    #expect(value["a"]?[2]?.stringValue == "x")
    #expect(value["a"]?[3]?.booleanValue == true)
    #expect(value["a"]?[4]?.isNull == true)
    #expect(value["a"]?[5] == nil)
    #expect(value["e\u{301}"] == nil)
    #expect(value["é"]?.doubleValue == 18_446_744_073_709_551_616)
    #expect(value["a"]?["b"] == nil)
    #expect(value.members?.map(\.key) == ["a", "é"])
  }
}
