#if Command

import DaybookTestSupport
import Foundation
import Testing

/// Named events on the command line, from the model file to an import.
@Suite(.hangLimit) struct RecordCommandTests {
  private let directory: TemporaryDirectory
  private var store: String { directory.path("recipes") }
  private static let events =
    #""events": [{"name": "RecipeCooked", "about": "Recipe", "attributes": [{"name": "servings", "type": "integer"}, {"name": "verdict", "type": "string", "optional": true}]}]"#

  private static let model =
    #"{"entities": [{"name": "Recipe", "nameAttribute": "name", "attributes": [{"name": "name", "type": "string"}]}, {"name": "Tag"}], \#(events)}"#

  private static let cake = "0190163d-8694-739b-aea5-000000000002"

  init() throws {
    directory = try TemporaryDirectory()
    try Self.model.write(toFile: directory.path("model.json"), atomically: false, encoding: .utf8)
    #expect(try CommandRun(["init", store, "--model", directory.path("model.json")]).status == 0)
    let lines = """
      {"insert": "Recipe", "as": "$cake", "id": "\(Self.cake)", "values": {"name": "Cake"}}
      {"record": "RecipeCooked", "about": "$cake", "values": {"servings": 6}}
      {"commit": [{"rename": "$cake", "to": "Torte"}, {"record": "RecipeCooked", "about": "00000002", "values": {"servings": 2, "verdict": "fine"}}], "author": "cook"}
      {"delete": "$cake"}
      {"record": "RecipeCooked", "about": "00000002", "values": {"servings": 1}}
      """
    #expect(try run("apply", "--json", input: lines).output == "{\"head\": 6, \"commits\": 5, \"events\": 6}\n")
  }

  private func run(_ command: String, _ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun([command, store] + arguments, input: input)
  }

  @Test func theModelShowsThem() throws {
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(run("model", "--json").output.utf8)) as? [String: Any])
    let events = try #require(json["events"] as? [[String: Any]])
    #expect(events.map { $0["name"] as? String } == ["RecipeCooked"])
    #expect(events.map { $0["about"] as? String } == ["Recipe"])
    let text = try run("model").output
    #expect(text.contains("Event RecipeCooked, about Recipe\n"), "\(text)")
  }

  @Test func theLogShowsThem() throws {
    let line = try run("log", "--jsonl", "--from", "3", "--to", "3").output
    #expect(
      line.hasSuffix(
        #""events": [{"event": "recorded", "name": "RecipeCooked", "entity": "Recipe", "object": "\#(Self.cake)", "values": {"servings": 6}, "previous": 2}]}"#
          + "\n"), "\(line)")
    #expect(try run("log").output.contains("recorded RecipeCooked: servings 2, verdict fine"))
    let object = try run("log", "--object", "00000002", "--jsonl").output.split(separator: "\n")
    #expect(object.count == 5)
    #expect(object[4].contains(#""event": "recorded""#))
    #expect(try run("replay", "--jsonl", "--from", "3", "--to", "3").output == line)
  }

  @Test func anExportComesBack() throws {
    let export = try run("export").output
    let hash = try #require(try run("stats", "--json").output.firstMatch(of: /"stateHash": "[0-9a-f]+"/)?.0)
    let other = directory.path("other")
    let imported = try CommandRun(["import", "events", other], input: export)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(try CommandRun(["export", other]).output == export)
    #expect(try CommandRun(["stats", other, "--json"]).output.contains(hash))
    for path in [store, other] {
      let verified = try CommandRun(["verify", path, "--json"])
      #expect(verified.status == 0 && verified.output.contains(#""ok": true"#), "\(verified.output)")
    }
    // A line whose event does not fit the state is refused.
    let wrong = export.replacing(#""name": "RecipeCooked", "entity""#, with: #""name": "Fried", "entity""#)
    let refused = try CommandRun(["import", "events", directory.path("third")], input: wrong)
    #expect(refused.status == 1 && refused.errors.contains("Fried"), "\(refused.errors)")
  }

  @Test func aWrongOperationIsRefusedWithItsLine() throws {
    let cases: [(String, String)] = [
      (#"{"record": "Fried", "about": "00000002"}"#, "no event “Fried”"),
      (#"{"record": "RecipeCooked", "about": "00000002"}"#, "needs a value for servings"),
      (#"{"record": "RecipeCooked", "values": {"servings": 1}}"#, "needs “about”"),
      (#"{"record": "RecipeCooked", "about": "00000002", "values": {"servings": "x"}}"#, "RecipeCooked.servings"),
      (
        #"{"record": "RecipeCooked", "about": "00000002", "values": {"servings": 1, "pans": 2}}"#, "no attribute “pans”"
      ),
      (
        #"{"record": "RecipeCooked", "about": "0190163d-8694-739b-aea5-000000000009", "values": {"servings": 1}}"#,
        "never been"
      ),
      (#"{"record": "RecipeCooked", "about": "$soup", "values": {"servings": 1}}"#, "$soup"),
      (#"{"record": "RecipeCooked", "about": "00000002", "servings": 1}"#, "“servings” is not known here"),
    ]
    for (line, message) in cases {
      let run = try run("apply", input: line)
      #expect(
        run.status == 1 && run.errors.contains("Line 1") && run.errors.contains(message), "\(line): \(run.errors)")
    }
    let batch = try run(
      "apply", "--batch", "10",
      input: """
        {"insert": "Tag"}
        {"record": "RecipeCooked", "about": "0190163d-8694-739b-aea5-000000000009", "values": {"servings": 1}}
        {"insert": "Tag"}
        """)
    #expect(batch.status == 1 && batch.errors.contains("Line 2"), "\(batch.errors)")
    #expect(try run("stats", "--json").output.contains(#""head": 6"#))
  }

  @Test func aModelWithoutTheEventRefusesNewOnes() throws {
    let path = directory.path("later.json")
    try Self.model.replacing(", " + Self.events, with: "").write(toFile: path, atomically: false, encoding: .utf8)
    let plan = try run("model", "--apply", path, "--dry-run")
    #expect(plan.output.contains("remove event RecipeCooked"), "\(plan.output)")
    #expect(try run("model", "--apply", path).status == 0)
    let refused = try run(
      "apply", input: #"{"record": "RecipeCooked", "about": "00000002", "values": {"servings": 1}}"#)
    #expect(refused.status == 1)
    #expect(try run("log", "--object", "00000002").output.contains("recorded RecipeCooked: servings 6"))
    #expect(try run("verify").status == 0)
  }

  @Test func theConditionOfALineDoesNotSeeThem() throws {
    let line = { (since: Int) in
      #"{"insert": "Tag", "when": {"untouched": "\#(Self.cake)", "since": \#(since)}}"#
    }
    #expect(try run("apply", input: line(4)).status == 1)
    #expect(try run("apply", input: line(5)).status == 0)
  }
}

#endif
