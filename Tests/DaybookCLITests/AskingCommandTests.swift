#if Command

import Foundation
import Testing

/// Tests the conditions of `log`, `bisect`, `trace`, and ranges and CloudEvents of `export`.
@Suite(.hangLimit) struct AskingCommandTests {
  private let kitchen: Kitchen

  /// Position 2 has the menu; 3 to 6 set servings; 7 is caused by 4, and 8 by 7.
  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
    for number in 3...6 {
      _ = try kitchen.output("set", "00000005", "servings=\(number)", "--author", number % 2 == 0 ? "Anna" : "Ben")
    }
    let lines = """
      {"rename": "\(Kitchen.id(5))", "to": "Tart", "causation": 4, "correlation": "menu", "metadata": {"ticket": 12}, \
      "author": "Anna", "happenedAt": "2026-03-01T00:00:00Z"}
      {"delete": "\(Kitchen.id(3))", "causation": 7, "message": "No more Sugar"}

      """
    _ = try kitchen.output("apply", input: lines)
  }

  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func log(_ arguments: String...) throws -> [Int] {
    let run = try CommandRun(["log", kitchen.store, "--jsonl"] + arguments)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    return try objects(run.output).compactMap { $0["position"] as? Int }
  }

  @Test func logTakesConditions() throws {
    #expect(try log("--entity", "Ingredient") == [2, 8])
    #expect(try log("--entity", "Ingredient", "--kind", "deleted") == [8])
    #expect(try log("--kind", "set") == [3, 4, 5, 6])
    #expect(try log("--kind", "model") == [1])
    #expect(try log("--author", "nn") == [4, 6, 7])
    #expect(try log("--author", "ANNA") == [])
    #expect(try log("--author", "ANNA", "-i") == [4, 6, 7])
    #expect(try log("--message", "sugar", "-i") == [8])
    #expect(try log("--correlation", "menu") == [7])
    #expect(try log("--correlation", "men") == [])
    #expect(try log("--where", "metadata.ticket == 12") == [7])
    #expect(try log("--where", "event.servings >= 5") == [5, 6])
    #expect(try log("--where", "event.servings >= 5", "--author", "Ben", "--reverse", "--limit", "1") == [5])
    #expect(try log("--since", "2026-03-01T00:00:00Z", "--until", "2026-03-01T00:00:00Z") == [7])
    #expect(try log("--until", "2026-01-02T03:04:05Z") == [2])
    #expect(try log("--object", "00000005", "--kind", "renamed") == [7])
    #expect(try log("--entity", "Recipe", "--from", "3", "--to", "4") == [3, 4])
    let narrow = try kitchen.output("log", "--jsonl", "--entity", "Recipe", "--kind", "inserted", "--events-only")
    #expect(try (objects(narrow)[0]["events"] as? [Any])?.count == 2)
  }

  @Test func anUnknownNameIsAnErrorThatSaysWhat() throws {
    for arguments in [["--entity", "Nothing"], ["--event", "Nothing"], ["--where", "event.nothing == 1"]] {
      let run = try CommandRun(["log", kitchen.store] + arguments)
      #expect(run.status == 1 && run.output == "" && run.errors.lowercased().contains("nothing"), "\(run.errors)")
    }
    for arguments in [["--kind", "nothing"], ["--since", "soon"]] {
      #expect(try CommandRun(["log", kitchen.store] + arguments).status == 64)
    }
    let run = try kitchen.run("log", "--where", "event.servings >")
    #expect(run.status == 1 && run.errors.contains("^"))
  }

  @Test func logExplainsItsSearch() throws {
    #expect(try kitchen.output("log", "--entity", "Recipe", "--explain").contains("index of commits by entity Recipe"))
    #expect(try kitchen.output("log", "--message", "x", "--explain").contains("all commits are read"))
    let line = try objects(kitchen.output("log", "--author", "x", "--explain", "--json"))[0]
    #expect((line["plan"] as? String)?.contains("author x") == true && line["position"] as? Int == 8)
  }

  @Test func logFollowsWhatMeetsTheConditions() throws {
    let run = try kitchen.start("log", "--follow", "--jsonl", "--author", "Anna", "--from", "6", "--limit", "3")
    for position in [6, 7] { #expect(try run.json()["position"] as? Int == position) }
    _ = try kitchen.output("set", "00000005", "servings=9", "--author", "Ben")
    _ = try kitchen.output("set", "00000005", "servings=10", "--author", "Anna")
    #expect(try run.json()["position"] as? Int == 10)
    #expect(try run.end().status == 0)
  }

  @Test func bisectFindsThePosition() throws {
    #expect(try kitchen.output("bisect", "Recipe", "--where", "servings >= 5") == "5\n")
    #expect(try kitchen.output("bisect", "Recipe", "--count", ">= 2", "--json") == "{\"position\": 2}\n")
    #expect(try kitchen.output("bisect", "Ingredient", "--count", "< 2", "--from", "2") == "8\n")
    #expect(try kitchen.output("bisect", "Recipe", "--from", "4") == "4\n")
    let never = try kitchen.run("bisect", "Recipe", "--where", "servings >= 50")
    #expect(never.status == 1 && never.output == "" && never.errors.contains("does not hold at 8"))
    #expect(try kitchen.run("bisect", "Nothing").status == 1)
    #expect(try kitchen.run("bisect", "Recipe", "--count", "many").status == 64)
    #expect(try kitchen.run("bisect").status == 64)
    #expect(try kitchen.run("bisect", "Recipe", "--run", "true").status == 64)
    #expect(try kitchen.run("bisect", "Recipe", "--from", "5", "--to", "4").status == 1)
  }

  @Test func bisectRunsACommand() throws {
    #expect(try kitchen.output("bisect", "--run", "test $DAYBOOK_POSITION -lt 6") == "6\n")
    let noisy = try kitchen.run("bisect", "--run", "echo noise; exit $((DAYBOOK_POSITION > 3 ? 127 : 0))")
    #expect(noisy.status == 0 && noisy.output == "4\n" && noisy.errors.contains("noise\n"))
    let skipping = "case $DAYBOOK_POSITION in 4|5) exit 125;; [123]) exit 0;; *) exit 1;; esac"
    let skipped = try kitchen.run("bisect", "--run", skipping)
    #expect(skipped.status == 1 && skipped.errors.contains("one of 4 to 6"))
    #expect(try kitchen.run("bisect", "--run", "exit 128").status == 1)
    #expect(try kitchen.run("bisect", "--run", "kill -9 $$").status == 1)
    #expect(try kitchen.run("bisect", "--run", "exit 0").status == 1)
  }

  @Test func traceShowsCausesAndConsequences() throws {
    let text = try kitchen.output("trace", "7").split(separator: "\n").map(String.init)
    #expect(text.count == 3 && text[0].hasPrefix("4  ") && text[1].hasPrefix("  7* ") && text[2].hasPrefix("    8  "))
    #expect(text[2].hasSuffix("No more Sugar"))
    let json = try objects(kitchen.output("trace", "head", "--json"))[0]
    let commits = try #require(json["commits"] as? [[String: Any]])
    #expect(commits.map { $0["position"] as? Int } == [4, 7, 8] && commits.map { $0["depth"] as? Int } == [0, 1, 2])
    #expect(commits[1]["causation"] as? Int == 4 && commits[1]["correlation"] as? String == "menu")
    #expect(try kitchen.run("trace", "9").status == 1)
  }

  @Test func aRangeIsExported() throws {
    let all = try kitchen.output("export").split(separator: "\n")
    let part = try kitchen.output("export", "--from", "3", "--to", "5").split(separator: "\n")
    #expect(all.count == 8 && part == Array(all[2...4]))
    #expect(try kitchen.output("export", "--from", "head").split(separator: "\n") == Array(all[7...]))
    #expect(try kitchen.run("export", "--from", "9").status == 1)
  }

  @Test func eventsAreExportedAsCloudEvents() throws {
    let events = try objects(kitchen.output("export", "--cloudevents"))
    let lines = try objects(kitchen.output("log", "--jsonl"))
    let expected = lines.flatMap { line -> [String] in
      let count = (line["events"] as? [Any])?.count ?? 1
      return (0..<count).map { "\(line["position"] as? Int ?? 0).\($0)" }
    }
    #expect(events.compactMap { $0["id"] as? String } == expected)
    #expect(events.allSatisfy { $0["specversion"] as? String == "1.0" && $0["data"] is [String: Any] })
    #expect(Set(events.compactMap { $0["source"] as? String }).count == 1)
    #expect((events[0]["source"] as? String)?.hasPrefix("urn:uuid:") == true)
    #expect(events[0]["type"] as? String == "daybook.model" && events[0]["subject"] == nil)
    let renamed = try #require(events.first { $0["id"] as? String == "7.0" })
    #expect(renamed["type"] as? String == "daybook.renamed" && renamed["subject"] as? String == Kitchen.id(5))
    #expect(renamed["time"] as? String == "2026-03-01T00:00:00Z" && renamed["correlation"] as? String == "menu")
    #expect(renamed["causation"] as? String == "4")
    let part = try objects(kitchen.output("export", "--cloudevents", "--from", "8"))
    #expect(part.compactMap { $0["type"] as? String } == ["daybook.unrelated", "daybook.deleted"])
  }
}

#endif
