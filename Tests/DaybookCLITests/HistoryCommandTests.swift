#if Command

import DaybookTools
import Foundation
import Testing

/// Tests `log`, `export`, `import events` and `stats`.
@Suite(.hangLimit) struct HistoryCommandTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
    _ = try kitchen.output("rename", "00000002", "Chocolate cake", "--author", "editor", "--message", "first\nmore")
    _ = try kitchen.output("set", "00000005", "servings=8", "note=")
    _ = try kitchen.output("delete", "00000003")
  }

  private func positions(_ text: String) throws -> [Int] {
    try text.split(separator: "\n").map {
      let line = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      return line?["position"] as? Int ?? -1
    }
  }

  @Test func logTellsCommitsInWords() throws {
    let text = try kitchen.output("log", "--from", "3", "--to", "4")
    #expect(text.contains("3  "))
    #expect(text.contains("  editor\n   first\n   Recipe Cake (00000002) renamed to Chocolate cake\n"))
    #expect(text.contains("Recipe Pie (00000005) set servings 1 → 8, note hot → nil\n"))
    #expect(!text.contains("more"))
    let all = try kitchen.output("log")
    #expect(all.contains("   Model with Recipe, RecipeType, Ingredient, Tag\n"))
    #expect(all.contains("Recipe Chocolate cake (00000002) related to Dessert (00000001) as type\n"))
  }

  @Test func logPrintsLines() throws {
    #expect(try positions(kitchen.output("log", "--jsonl")) == [1, 2, 3, 4, 5])
    #expect(try positions(kitchen.output("log", "--jsonl", "--reverse", "--limit", "2")) == [5, 4])
    #expect(try positions(kitchen.output("log", "--jsonl", "--from", "head")) == [5])
    #expect(try positions(kitchen.output("log", "--jsonl", "--to", "1990-01-01")) == [])
    #expect(try positions(kitchen.output("log", "--jsonl", "--object", "00000003")) == [2, 5])
    let line = try kitchen.output("log", "--jsonl", "--from", "3", "--to", "3")
    #expect(
      line.hasSuffix(
        #""events": [{"event": "renamed", "entity": "Recipe", "object": "\#(Kitchen.id(2))", "from": "Cake", "to": "Chocolate cake", "previous": 2}]}"#
          + "\n"))
  }

  @Test func blameNamesTheCommitOfEachValue() throws {
    let text = try kitchen.output("blame", "00000005")
    #expect(text.contains("4 ") && text.contains("servings") && text.contains("Pie"))
    let json =
      try JSONSerialization.jsonObject(
        with: Data(kitchen.output("blame", "00000002", "--json").utf8)) as? [String: Any]
    let lines = try #require(json?["lines"] as? [[String: Any]])
    #expect(lines.map { $0["position"] as? Int } == [3, 2, 2, 2])
    #expect(lines.map { $0["attribute"] as? String ?? $0["link"] as? String } == ["name", "servings", "note", "type"])
    #expect(lines[0]["author"] as? String == "editor" && lines[0]["value"] as? String == "Chocolate cake")
    #expect(lines[3]["value"] as? String == Kitchen.id(1))
    let past = try kitchen.output("blame", "00000002", "--at", "2", "--json")
    #expect(past.contains(#""value": "Cake", "position": 2"#))
    #expect(try kitchen.run("blame", "00000003").status == 1)
  }

  @Test func snapshotsAreMadeAndListed() throws {
    #expect(try kitchen.output("rebuild", "snapshots") == "5\n")
    // Five commits need no snapshot.
    #expect(try kitchen.output("stats", "--json").contains(#""snapshots": []"#))
    #expect(try kitchen.run("rebuild", "snapshot").status == 1)
  }

  @Test func logPrintsOneValue() throws {
    let text = try kitchen.output("log", "--json")
    let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    #expect(list?.count == 5)
    #expect(try kitchen.output("log", "--json", "--limit", "0") == "[]\n")
  }

  @Test func logRefusesWhatIsNotThere() throws {
    #expect(try kitchen.run("log", "--from", "9").status == 1)
    #expect(try kitchen.run("log", "--object", Kitchen.id(99)).status == 1)
    #expect(try kitchen.run("log", "--limit", "-1").status == 64)
    #expect(try kitchen.run("log", "--from", "soon").status == 64)
  }

  @Test func aReaderThatGoesAwayEndsTheLogQuietly() throws {
    let run = try shell("$DAYBOOK log '\(kitchen.store)' --jsonl | head -c 10 > /dev/null")
    #expect(run.errors == "")
  }

  @Test func anExportCanBeImportedFromAFileOrAPipe() throws {
    let copy = kitchen.directory.path("copy")
    let file = kitchen.directory.path("events.jsonl")
    #expect(try kitchen.output("export", file) == "")
    #expect(try kitchen.output("export") == String(contentsOfFile: file, encoding: .utf8))
    let run = try CommandRun(["import", "events", copy, file, "--json"])
    #expect(run.output == "{\"head\": 5, \"commits\": 5, \"events\": 12}\n", "\(run.errors)")
    #expect(try CommandRun(["export", copy]).output == kitchen.output("export"))
    #expect(try CommandRun(["verify", copy]).status == 0)
    let again = try shell("$DAYBOOK export '\(kitchen.store)' | $DAYBOOK import events '\(copy)'")
    #expect(again.output == "Nothing new; the head is 5.\n")
    let second = try shell("$DAYBOOK export '\(kitchen.store)' | $DAYBOOK import events '\(copy)2' -")
    #expect(second.status == 0)
  }

  @Test func anImportIntoAnotherHistoryIsAConflict() throws {
    let other = try Kitchen(Kitchen.menu)
    let run = try CommandRun(["import", "events", other.store], input: kitchen.output("export"))
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("daybook: Line 1: commit 1 of the store has the hash"))
  }

  @Test func aWrongLineIsNamed() throws {
    let lines = try kitchen.output("export").split(separator: "\n")
    let copy = kitchen.directory.path("copy")
    let input = lines[0...2].joined(separator: "\n") + "\n" + lines[3].replacing("8]", with: "9]")
    let run = try CommandRun(["import", "events", copy], input: input)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("daybook: Line 4: commit 4 gives the hash"))
    #expect(try CommandRun(["log", copy, "--jsonl"]).lines.count == 3)
    #expect(try CommandRun(["import", "events", copy], input: "{\n").errors.contains("Line 1: column 2"))
    #expect(try CommandRun(["import", "events", copy, kitchen.directory.path("nothing")]).status == 74)
  }

  @Test func statsShowFigures() throws {
    let text = try kitchen.output("stats", "--json")
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(json?["head"] as? Int == 5)
    #expect(json?["events"] as? Int == 12)
    #expect(json?["objects"] as? [String: Int] == ["Recipe": 2, "RecipeType": 1, "Ingredient": 1, "Tag": 0])
    #expect((json?["stateHash"] as? String)?.count == 64)
    let people = try kitchen.output("stats")
    #expect(people.contains("head") && people.contains("  Recipe"))
  }
}

#endif
