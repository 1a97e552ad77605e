import Daybook
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

/// The cases of JSON-Schema-Test-Suite about the words that rules share with JSON Schema.
///
/// Debian's package `json-schema-test-suite` has them; `Tools/setup` installs it.
@Suite(.hangLimit) struct SchemaSuiteTests {
  private static let directory = "/usr/share/json-schema-test-suite/tests/draft7"

  /// The keyword of JSON Schema, and the key of a model file.
  private static let words = [
    ("minimum", "minimum"), ("maximum", "maximum"), ("minLength", "minimumLength"), ("maxLength", "maximumLength"),
    ("pattern", "pattern"), ("enum", "oneOf"), ("minItems", "least"), ("maxItems", "most"),
  ]

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: directory), "install json-schema-test-suite"), arguments: words)
  func rulesMeanWhatJSONSchemaSays(_ keyword: String, _ key: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(Self.directory)/\(keyword).json"))
    let groups = try #require(try JSONValue(parsing: String(decoding: data, as: UTF8.self)).elements)
    var count = 0
    for group in groups {
      guard let argument = group["schema"]?[keyword] else { continue }
      for test in group["tests"]?.elements ?? [] {
        guard let value = test["data"], let outcome = try Self.isAllowed(value, key, argument) else { continue }
        count += 1
        #expect(outcome == test["valid"]?.booleanValue, "\(keyword) \(argument.text): \(value.text)")
      }
    }
    #expect(count > 0)
  }

  /// Returns whether a store takes a value, or `nil` if no attribute can have both the rule and the value.
  private static func isAllowed(_ value: JSONValue, _ key: String, _ argument: JSONValue) throws -> Bool? {
    if let elements = value.elements { return key.count < 6 ? try takes(elements.count, key, argument) : nil }
    let type: AttributeType
    switch value {
    case .string: type = .string
    case .integer, .number: type = .double
    default: return nil
    }
    let attribute = #"{"name": "a", "type": "\#(type.rawValue)", "\#(key)": \#(argument.text)}"#
    let text = #"{"entities": [{"name": "E", "attributes": [\#(attribute)]}]}"#
    // A rule for another type is refused with the model.
    guard let model = try? Model(parsing: Array(text.utf8)) else { return nil }
    do {
      return try withTemporaryStore(model) { store in
        try isTaken { try store.write { _ = try $0.insert("E", ["a": Value(json: value, type: type)]) } }
      }
    } catch let error as StoreError where error.code == .badModel {
      return nil
    }
  }

  private static func takes(_ count: Int, _ key: String, _ argument: JSONValue) throws -> Bool? {
    guard key == "least" || key == "most" else { return nil }
    let text = """
      {"entities": [{"name": "E", "relationships": [{"name": "fs", "to": "F", "many": true, "inverse": "e", \
      "\(key)": \(argument.text)}]}, {"name": "F", "relationships": [{"name": "e", "to": "E", "inverse": "fs", \
      "optional": true}]}]}
      """
    return try withTemporaryStore(Model(parsing: Array(text.utf8))) { store in
      try isTaken {
        try store.write { tx in
          let owner = try tx.insert("E")
          for _ in 0..<count { try tx.relate(tx.insert("F"), "e", to: owner) }
        }
      }
    }
  }

  private static func isTaken(_ write: () throws -> Void) throws -> Bool {
    do {
      try write()
      return true
    } catch let error as StoreError where error.code == .constraint {
      return false
    }
  }
}
