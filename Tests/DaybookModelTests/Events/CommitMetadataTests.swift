import DaybookModel
import Testing

@Suite(.hangLimit) struct CommitMetadataTests {
  private func metadata(_ text: String) throws -> CommitMetadata { try CommitMetadata(json: JSONValue(parsing: text)) }

  private func canonical(_ metadata: CommitMetadata) throws -> String {
    String(decoding: try metadata.checkedBytes(), as: UTF8.self)
  }

  @Test func theCanonicalFormSortsKeysByTheirBytes() throws {
    let some = try metadata(#" { "é" : 1, "z": 2.50, "a": "x\u0001\/", "Z": null, "zz": true } "#)
    #expect(try canonical(some) == "{\"Z\":null,\"a\":\"x\\u0001/\",\"z\":2.5,\"zz\":true,\"é\":1}")
    #expect(try CommitMetadata(canonicalBytes: some.checkedBytes()) == some)
    #expect(some["zz"] == true && some["Z"] == .null && some.count == 5)
  }

  @Test func keysThatAreOnlyCanonicallyEqualDiffer() throws {
    let both: CommitMetadata = ["\u{e9}": 1, "e\u{301}": 2]
    #expect(both.count == 2 && both["\u{e9}"] == 1 && both["e\u{301}"] == 2)
    #expect(CommitMetadata(dictionaryLiteral: ("\u{e9}", 1)) != ["e\u{301}": 1])
    #expect(try CommitMetadata(canonicalBytes: both.checkedBytes()) == both)
  }

  @Test func numbersKeepTheirKind() throws {
    #expect(
      try canonical(metadata(#"{"a": 1, "b": 1.0, "c": 1e2, "d": -0.0, "e": 9223372036854775807}"#))
        == #"{"a":1,"b":1.0,"c":100.0,"d":0.0,"e":9223372036854775807}"#)
    #expect(try metadata(#"{"a": 3.14159265358979323846}"#)["a"] == .double(.pi))
    for number in ["9223372036854775808", "-9223372036854775809", "1e999", "-1e400"] {
      #expect(throws: MetadataFault.self, "\(number)") { try metadata(#"{"a": \#(number)}"#) }
    }
  }

  @Test func onlyScalarsAreTaken() throws {
    for text in [#"{"a": []}"#, #"{"a": {}}"#, "[]", "1", "null", #""a""#] {
      #expect(throws: MetadataFault.self, "\(text)") { try metadata(text) }
    }
    for value in [Value.double(.nan), .double(.infinity), .data([1]), .uuid(ObjectID(high: 1, low: 1)), .decimal(1)] {
      #expect(throws: MetadataFault.self) { try CommitMetadata(dictionaryLiteral: ("a", value)).checkedBytes() }
    }
  }

  @Test func theLimitsAreExact() throws {
    func keys(_ count: Int) -> CommitMetadata {
      var metadata = CommitMetadata()
      for number in 0..<count { metadata["k\(number)"] = .integer(1) }
      return metadata
    }
    _ = try keys(64).checkedBytes()
    #expect(throws: MetadataFault.self) { try keys(65).checkedBytes() }
    #expect(throws: MetadataFault.self) { try CommitMetadata(json: keys(65).json) }
    _ = try CommitMetadata(dictionaryLiteral: (String(repeating: "é", count: 64), 1)).checkedBytes()
    for key in ["", String(repeating: "k", count: 129)] {
      #expect(throws: MetadataFault.self) { try CommitMetadata(dictionaryLiteral: (key, 1)).checkedBytes() }
    }
    let room = CommitMetadata.maximumSizeInBytes - #"{"a":""}"#.utf8.count
    let full = CommitMetadata(dictionaryLiteral: ("a", .string(String(repeating: "x", count: room))))
    #expect(try full.checkedBytes().count == CommitMetadata.maximumSizeInBytes)
    let over = CommitMetadata(dictionaryLiteral: ("a", .string(String(repeating: "x", count: room + 1))))
    let fault = #expect(throws: MetadataFault.self) { try over.checkedBytes() }
    #expect(fault?.isTooLarge == true)
  }

  @Test func mergingReplacesValuesOfEqualKeys() {
    let merged = CommitMetadata(dictionaryLiteral: ("a", 1), ("b", 2)).merging(["b": 3, "c": 4])
    #expect(merged == ["a": 1, "b": 3, "c": 4])
    var changed = merged
    changed["b"] = nil
    if changed["b"] != nil { Issue.record("a removed key has a value") }
    changed["a"] = "x"
    #expect(changed == ["a": "x", "c": 4] && !changed.entries.contains { $0.key == "b" })
  }
}
