import DaybookTestSupport
import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct JSONWritingTests {
  @Test func writesOneLine() throws {
    let text = #"{"position": 7, "id": null, "rows": [1, "a\n\"\\é", []], "empty": {}, "x": 1.5}"#
    #expect(try JSONValue(parsing: text).text == text)
    var output = ""
    try JSONValue(parsing: text).write(to: &output)
    #expect(output == text)
  }

  @Test func writesForPeople() throws {
    let value = try JSONValue(parsing: #"{"a": [1, {"b": 2}], "c": [], "d": {}}"#)
    let expected = """
      {
        "a": [
          1,
          {
            "b": 2
          }
        ],
        "c": [],
        "d": {}
      }
      """
    #expect(value.prettyText == expected)
  }

  @Test func writesOneCanonicalForm() throws {
    let a = try JSONValue(parsing: #"{"b": [1, 2], "a": {"é": 1, "z": 2}}"#)
    let b = try JSONValue(parsing: #"{ "a":{"z":2,"\u00e9":1}, "b":[1,2] }"#)
    #expect(a.canonicalBytes == b.canonicalBytes)
    #expect(String(decoding: a.canonicalBytes, as: UTF8.self) == #"{"a":{"z":2,"é":1},"b":[1,2]}"#)
  }

  @Test func writesWhatJSONHasNoNumberForAsText() {
    #expect(JSONValue.array([.number(.infinity), .number(-.infinity)]).text == #"["Infinity", "-Infinity"]"#)
  }

  @Test func escapesControlCharacters() {
    #expect(JSONValue.string("\0\u{1f}\n\r\t\u{7f}/").text == "\"\\u0000\\u001f\\n\\r\\t\u{7f}/\"")
  }

  @Test("A character that needs an escape is found at each place of a text, also after another one")
  func escapesAreFoundAtEachPlace() {
    let characters: [Unicode.Scalar] = [
      "\0", "\u{1f}", " ", "!", "\"", "#", "[", "\\", "]", "\u{7f}", "\u{80}", "\u{ff}", "\u{1f600}",
    ]
    for filler in ["a", " ", "!", "#", "[", "é", "\u{7f}"] {
      for place in 0..<20 {
        for character in characters {
          for next in characters {
            let (before, after) = (String(repeating: filler, count: place), String(repeating: filler, count: 9))
            let text = before + "\(character)\(next)" + after
            let expected = text.unicodeScalars.map(Self.escaped).joined()
            #expect(JSONValue.string(text).text == "\"\(expected)\"")
          }
        }
      }
    }
  }

  private static func escaped(_ character: Unicode.Scalar) -> String {
    switch character {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\0": "\\u0000"
    case "\u{1f}": "\\u001f"
    default: "\(character)"
    }
  }

  @Test func doublesComeBackWithAllBits() throws {
    var random = SeededRandom(seed: Seeds.one)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      let read = try JSONValue(parsing: JSONValue.number(number).text)
      guard case .number(let back) = read, back.bitPattern == number.bitPattern else {
        Issue.record("\(number) came back as \(read), seed \(random.seed)")
        return
      }
    }
  }
}
