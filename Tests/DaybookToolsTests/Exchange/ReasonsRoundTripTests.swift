import Daybook
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookTools

/// Metadata, causes and correlations in operations, exports and imports.
@Suite(.hangLimit) struct ReasonsRoundTripTests {
  private struct Lines: OperationSource {
    var lines: [String]

    mutating func next() -> [UInt8]? { lines.isEmpty ? nil : Array(lines.removeFirst().utf8) }
    mutating func isReady() -> Bool { true }
  }

  private let directory: TemporaryDirectory
  private let store: Store
  private static let id = "0190163d-8694-739b-aea5-966c26f8ad91"

  init() throws {
    directory = try TemporaryDirectory()
    store = try Store(
      at: directory.path("notes"),
      model: Model(entities: [Entity(name: "Note", attributes: [Attribute(name: "title", type: .string)])]))
  }

  private func apply(_ members: String..., batchSize: Int = 10) throws {
    let lines = members.map { #"{"insert": "Note", "values": {"title": "x"}\#($0)}"# }
    var runner = OperationRunner(store: store, source: Lines(lines: lines), batchSize: batchSize)
    _ = try runner.run { _ in }
  }

  private func commits() throws -> [Commit] {
    var log = try store.log(from: 2)
    var commits: [Commit] = []
    while let commit = try log.next() { commits.append(commit) }
    return commits
  }

  @Test func aLineOfOperationsSaysWhy() throws {
    try apply(
      #", "commitID": "\#(Self.id)", "metadata": {"z": 1, "a": 1.5, "é": null}"#,
      #", "causation": "\#(Self.id)", "correlation": "flow""#, #", "causation": 3"#, "")
    let commits = try commits()
    #expect(commits.map(\.metadata) == [["a": 1.5, "z": 1, "é": nil], [:], [:], [:]])
    #expect(commits.map(\.causation) == [nil, .commitID(ObjectID(Self.id)!), 3, nil])
    #expect(commits.map(\.correlation) == [nil, "flow", nil, nil])
  }

  @Test(arguments: [
    #""metadata": []"#, #""metadata": {"a": {}}"#, #""metadata": {"": 1}"#, #""metadata": {"a": 9223372036854775808}"#,
    #""causation": 0"#, #""causation": -1"#, #""causation": 1.5"#, #""causation": "f8ad91""#, #""causation": true"#,
    #""causation": 7"#, #""causation": "0190163d-8694-739b-aea5-966c26f8ad92""#, #""correlation": 7"#,
    #""undoes": [2]"#,
  ]) func aWrongMemberIsRefusedWithItsLine(member: String) throws {
    let error = #expect(throws: StoreError.self) { try apply("", ", \(member)", "", batchSize: 1) }
    #expect(error?.message.contains("Line 2: ") == true)
    #expect(try store.position == 2)
  }

  @Test func anExportGivesTheSameHashesAndFormat() throws {
    try apply(
      #", "commitID": "\#(Self.id)", "metadata": {"z": 1, "a": -0.0, "b": 1e20, "c": 0.1, "t": "\u0001 é\\"}"#,
      #", "causation": "\#(Self.id)", "correlation": "flow", "author": "a""#, #", "causation": 3"#, "")
    let bytes = try Exporter(store).bytes()
    let path = directory.path("copy")
    try importEvents(bytes, to: path)
    let copy = try Store(at: path)
    #expect(try copy.hashes() == store.hashes())
    #expect(try Exporter(copy).bytes() == bytes)
    #expect(try copy.files.withJournal { try $0.format() } == store.files.withJournal { try $0.format() })
    copy.close()
    #expect(try Store.verify(at: path).faults == [])
    let text = lines(bytes).map { String(decoding: $0, as: UTF8.self) }
    #expect(text[1].contains(#""metadata": {"a": 0.0, "b": 1e+20, "c": 0.1, "t": "\u0001 é\\", "z": 1}"#))
    #expect(text[2].contains(#""causation": "\#(Self.id)", "correlation": "flow""#))
    #expect(text[3].contains(#""causation": 3"#) && !text[4].contains("causation"))
  }

  @Test func aLineWhoseReasonsWereChangedIsRefused() throws {
    try apply(#", "metadata": {"a": 1}, "causation": 1, "correlation": "flow""#)
    let line = String(decoding: lines(try Exporter(store).bytes())[1], as: UTF8.self)
    let model = lines(try Exporter(store).bytes())[0]
    for (old, new) in [
      (#"{"a": 1}"#, #"{"a": 2}"#), (#"{"a": 1}"#, "{}"), (#"{"a": 1}"#, "[]"),
      (#""causation": 1"#, #""causation": 2"#),
      (#""causation": 1"#, #""causation": null"#), ("flow", "flaw"), (#""flow""#, "1"),
      (#""causation""#, #""undoes": [1], "causation""#), (#""causation""#, #""undoes": [], "causation""#),
      (#""causation""#, #""undoes": [1], "redoes": [1], "causation""#), (#""causation""#, #""undoes": 1, "causation""#),
    ] {
      let place = try TemporaryDirectory()
      let bytes = model + [0x0a] + Array(line.replacingOccurrences(of: old, with: new).utf8)
      let error = #expect(throws: StoreError.self) { try importEvents(bytes, to: place.path("copy")) }
      #expect(error?.message.contains("Line 2") == true, "\(new)")
    }
  }
}
