import Foundation
import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct ValueConversionTests {
  static let id = ObjectID("0190163d-8694-739b-aea5-966c26f8ad91")!

  /// A type, JSON, its value, and the printed JSON and text if they differ.
  struct Example: Sendable {
    var type: AttributeType
    var json: String
    var value: Value
    var printed: String
    var text: String

    init(_ type: AttributeType, _ json: String, _ value: Value, printed: String? = nil, text: String) {
      (self.type, self.json, self.value, self.printed, self.text) = (type, json, value, printed ?? json, text)
    }
  }

  static let examples: [Example] = [
    Example(.string, #""Cake""#, "Cake", text: "Cake"), Example(.string, #""""#, "", text: ""),
    Example(.integer, "4", 4, text: "4"),
    Example(.integer, "-9223372036854775808", .integer(.min), text: "\(Int64.min)"),
    Example(.double, "1.5", 1.5, text: "1.5"), Example(.double, "4", 4.0, printed: "4.0", text: "4.0"),
    Example(.double, "-0.0", 0.0, printed: "0.0", text: "0.0"),
    Example(
      .double, "0.12345678901234567890", .double(0.12345678901234568), printed: "0.12345678901234568",
      text: "0.12345678901234568"),
    Example(.double, #""Infinity""#, .double(.infinity), text: "Infinity"),
    Example(.double, #""-Infinity""#, .double(-.infinity), text: "-Infinity"),
    Example(.decimal, #""12.340""#, .decimal(Decimal(string: "12.34")!), printed: #""12.34""#, text: "12.34"),
    Example(.decimal, "12", .decimal(12), printed: #""12""#, text: "12"),
    Example(.decimal, "0.1", .decimal(Decimal(string: "0.1")!), printed: #""0.1""#, text: "0.1"),
    Example(
      .decimal, "18446744073709551616.25", .decimal(Decimal(string: "18446744073709551616.25")!),
      printed: #""18446744073709551616.25""#, text: "18446744073709551616.25"),
    Example(.boolean, "true", true, text: "true"), Example(.boolean, "false", false, text: "false"),
    Example(
      .date, #""2026-01-02""#, .date(Timestamp(microseconds: 1_767_312_000_000_000)),
      printed: #""2026-01-02T00:00:00Z""#, text: "2026-01-02T00:00:00Z"),
    Example(
      .uuid, #""0190163D-8694-739B-AEA5-966C26F8AD91""#, .uuid(id), printed: #""0190163d-8694-739b-aea5-966c26f8ad91""#,
      text: "0190163d-8694-739b-aea5-966c26f8ad91"),
    Example(.data, #""AP9h""#, .data([0, 255, 97]), text: "AP9h"), Example(.data, #""""#, .data([]), text: ""),
    Example(
      .codable, #"{"b": [1, 2], "a": 1.50}"#, .data(Array(#"{"a":1.5,"b":[1,2]}"#.utf8)),
      printed: #"{"a": 1.5, "b": [1, 2]}"#, text: #"{"a":1.5,"b":[1,2]}"#),
    Example(.codable, #""x""#, .data(Array(#""x""#.utf8)), text: #""x""#),
    Example(.codable, "18446744073709551615", .data(Array("18446744073709551615".utf8)), text: "18446744073709551615"),
  ]

  @Test(arguments: examples)
  func readsAndWritesJSON(example: Example) throws {
    let value = try Value(json: JSONValue(parsing: example.json), type: example.type)
    #expect(value == example.value)
    #expect(value.json(as: example.type).text == example.printed)
    #expect(try Value(json: value.json(as: example.type), type: example.type) == value)
    try value.check(type: example.type)
    #expect(try value.normalized(as: example.type) == value)
  }

  @Test(arguments: examples)
  func readsAndWritesText(example: Example) throws {
    #expect(example.value.text(as: example.type) == example.text)
    #expect(try Value(text: example.text, type: example.type) == example.value)
  }

  @Test(arguments: AttributeType.allCases)
  func nullIsNullForEveryType(type: AttributeType) throws {
    #expect(try Value(json: .null, type: type) == .null)
    #expect(Value.null.json(as: type) == .null)
    try Value.null.check(type: type)
    #expect(Value.null.text(as: type) == "")
  }

  static let refusedJSON: [(AttributeType, String, String)] = [
    (AttributeType.string, "1", "“1” is not a string: give text"),
    (.string, "[\"a\"]", "“[\"a\"]” is not a string: give text"),
    (.integer, "1.0", "“1.0” is not an integer: give a whole number from -9223372036854775808 to 9223372036854775807"),
    (.integer, "1.5", "“1.5” is not an integer"),
    (.integer, "9223372036854775808", "“9223372036854775808” is not an integer"),
    (.integer, "\"1\"", "“1” is not an integer"), (.integer, "true", "“true” is not an integer"),
    (.double, "\"1\"", "“1” is not a double: give a number, or Infinity or -Infinity"),
    (.double, "\"NaN\"", "“NaN” is not a double"),
    (.double, "1e400", "“1e400” is not a double"),
    (.decimal, "\"1x\"", "“1x” is not a decimal: give a number of at most 38"),
    (.decimal, "1e300", "“1e+300” is not a decimal"), (.decimal, "true", "“true” is not a decimal"),
    (.boolean, "1", "“1” is not a boolean: give true or false"), (.boolean, "\"true\"", "“true” is not a boolean"),
    (.date, "\"2026-02-30\"", "“2026-02-30” is not a date: give an ISO 8601 date or time"),
    (.date, "5", "“5” is not a date"),
    (.uuid, "\"x\"", "“x” is not a UUID: give a UUID"), (.data, "\"a\"", "“a” is not data: give bytes in base64"),
    (.data, "\"AP9i=\"", "“AP9i=” is not data"), (.data, "\"AB==\"", "“AB==” is not data"),
    (.data, "\"AP 9h\"", "“AP 9h” is not data"),
  ]

  @Test(arguments: refusedJSON)
  func saysWhatIsAllowedInstead(type: AttributeType, json: String, message: String) throws {
    let error = try #require(throws: ValueError.self) { try Value(json: JSONValue(parsing: json), type: type) }
    #expect(error.description.hasPrefix(message), "\(error)")
    #expect(error.type == type)
  }

  static let refusedText: [(AttributeType, String)] = [
    (AttributeType.integer, "4.0"), (.integer, ""), (.integer, " 4"), (.integer, "0x4"), (.double, "nan"),
    (.double, "0x1p3"),
    (.double, "inf"), (.double, "1e999"), (.double, "1.5 "), (.boolean, "True"), (.boolean, "yes"), (.date, "now"),
    (.uuid, ""),
    (.data, "*"), (.codable, "{"), (.codable, ""),
  ]

  @Test(arguments: refusedText)
  func refusesText(type: AttributeType, text: String) {
    #expect(throws: ValueError.self) { try Value(text: text, type: type) }
  }

  @Test func longValuesAreCutInMessages() throws {
    let error = try #require(throws: ValueError.self) {
      try Value(text: String(repeating: "x", count: 500), type: .integer)
    }
    #expect(error.value == String(repeating: "x", count: 80) + "…")
  }

  @Test func checksTypes() {
    let values: [(AttributeType, Value)] = [
      (.string, "a"), (.integer, 1), (.double, 1.5), (.decimal, .decimal(1)), (.boolean, true),
      (.date, .date(Timestamp(microseconds: 0))), (.uuid, .uuid(.zero)), (.data, .data([1])),
    ]
    for (type, _) in values {
      for (other, value) in values {
        #expect((try? value.check(type: type)) != nil || type != other)
        if type != other { #expect(throws: ValueError.self) { try value.check(type: type) } }
      }
    }
    #expect(throws: ValueError.self) { try Value.double(.nan).check(type: .double) }
    #expect(throws: ValueError.self) { try Value.decimal(.nan).check(type: .decimal) }
    #expect(throws: ValueError.self) { try Value.decimal(.greatestFiniteMagnitude).check(type: .decimal) }
    #expect(throws: ValueError.self) { try Value.data([1]).check(type: .codable) }
    #expect(throws: ValueError.self) { try Value.data(Array("null".utf8)).check(type: .codable) }
    #expect(throws: ValueError.self) { try Value.data([0xff]).normalized(as: .codable) }
  }

  @Test func normalizesToTheStoredForm() throws {
    guard case .double(let zero) = try Value.double(-0.0).normalized(as: .double) else {
      Issue.record("no double")
      return
    }
    #expect(zero.sign == .plus)
    #expect(
      try Value.data(Array(#"{ "b":1, "a":2 }"#.utf8)).normalized(as: .codable) == .data(Array(#"{"a":2,"b":1}"#.utf8)))
    #expect(try Value.data(Array("null".utf8)).normalized(as: .codable) == .null)
  }

  @Test func damagedCodableBytesArePrintedAsBase64() {
    #expect(Value.data([0xff]).json(as: .codable) == "/w==")
    #expect(Value.data([0xff]).text(as: .codable) == "/w==")
  }
}
