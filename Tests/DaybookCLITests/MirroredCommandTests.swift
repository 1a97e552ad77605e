#if Command

import DaybookTestSupport
import Foundation
import Testing

/// Relationships that are their own inverses, by the command.
@Suite("Relationships that are their own inverses, by the command", .hangLimit) struct MirroredCommandTests {
  private let directory: TemporaryDirectory
  private var store: String { directory.path("people") }

  private static let model = """
    {"entities": [
      {"name": "Person", "nameAttribute": "name",
       "attributes": [{"name": "name", "type": "string"}, {"name": "friendCount", "derived": {"count": "friends"}}],
       "relationships": [
         {"name": "friends", "to": "Person", "inverse": "friends", "many": true, "onDelete": "cascade"},
         {"name": "partner", "to": "Person", "inverse": "partner", "optional": true}]}]}
    """

  private static let ids = (1...3).map { "00000000-0000-4000-8000-00000000000\($0)" }

  init() throws {
    directory = try TemporaryDirectory()
    let file = directory.path("model.json")
    try Self.model.write(toFile: file, atomically: false, encoding: .utf8)
    _ = try output("init", "--model", file)
    let lines = zip(Self.ids, ["Ada", "Ben", "Cy"]).map { id, name in
      #"{"insert": "Person", "id": "\#(id)", "values": {"name": "\#(name)"}}"#
    }
    let links = [
      #"{"relate": "\#(Self.ids[1])", "relationship": "friends", "to": "\#(Self.ids[0])"}"#,
      #"{"relate": "\#(Self.ids[1])", "relationship": "friends", "to": "\#(Self.ids[2])"}"#,
      #"{"relate": "\#(Self.ids[2])", "relationship": "partner", "to": "\#(Self.ids[0])"}"#,
    ]
    let operations = directory.path("operations.jsonl")
    try (lines + links).joined(separator: "\n").write(toFile: operations, atomically: false, encoding: .utf8)
    _ = try output("apply", operations)
  }

  private func output(
    _ command: String, _ arguments: String..., at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try CommandRun([command, store] + arguments)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)", sourceLocation: location)
    return run.output
  }

  @Test("The model is printed with them, and read again from its JSON")
  func printing() throws {
    let lines = try output("model").split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains("friends → many Person, its own inverse, on delete cascade"), "\(lines)")
    #expect(lines.contains("partner → Person, optional, its own inverse"), "\(lines)")
    let file = directory.path("again.json")
    try output("model", "--json").write(toFile: file, atomically: false, encoding: .utf8)
    let before = try output("stats")
    _ = try output("model", "--apply", file)
    #expect(try output("stats") == before)
  }

  @Test("Both objects show a link, and the log shows it once")
  func objects() throws {
    #expect(try output("get", Self.ids[0], "--json").contains(Self.ids[1]))
    #expect(try output("count", "Person", "--where", "partner.name == \"Ada\"").contains("1"))
    let events = try output("export")
    #expect(events.components(separatedBy: "\"related\"").count == 4, "\(events)")
  }

  @Test("They make no tree, and the tree command ends")
  func trees() throws {
    #expect(!(try output("tree")).contains("Ben"))
    #expect(!(try output("tree", "--paths")).contains("Ben"))
  }

  @Test("An export becomes the same store")
  func exchange() throws {
    let events = directory.path("events.jsonl")
    try output("export").write(toFile: events, atomically: false, encoding: .utf8)
    let copy = directory.path("copy")
    let run = try CommandRun(["import", "events", copy, events])
    #expect(run.status == 0, "\(run.errors)")
    func hash(_ path: String) throws -> String? {
      try CommandRun(["stats", path]).output.split(separator: "\n").first { $0.contains("state hash") }.map(String.init)
    }
    #expect(try hash(copy) == hash(store))
    #expect(try CommandRun(["verify", copy]).status == 0)
  }
}

#endif
