#if Command

import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookCLI
@testable import DaybookRuntime
@testable import DaybookTools

/// Tests `activity` and `projection`, and the output of `rebuild` and `stats` about them.
@Suite(.hangLimit) struct ActivityCommandTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
    let lines = [
      (7, "2026-01-01T00:00:00Z", "ann"), (8, "2026-01-05T23:59:59Z", "bob"), (9, "2026-01-05T10:00:00Z", "bob"),
    ].map { id, time, author in
      """
      {"insert": "Tag", "id": "\(Kitchen.id(id))", "values": {"name": "t"}, "author": "\(author)", "happenedAt": "\(time)"}

      """
    }
    _ = try kitchen.output("apply", input: lines.joined())
  }

  private func json(_ arguments: String...) throws -> [String: Any] {
    let run = try CommandRun(["activity", kitchen.store] + arguments + ["--json"])
    #expect(run.status == 0, "\(run.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test func theFiguresAreOnesToReckonWith() throws {
    #expect(
      try kitchen.output("activity", "--json")
        == #"{"position": 5, "commits": 4, "events": 11, "days": ["#
        + #"{"day": "2026-01-01", "author": "ann", "commits": 1, "events": 1, "entities": {"Tag": {"commits": 1, "events": 1}}}, "#
        + #"{"day": "2026-01-02", "author": null, "commits": 1, "events": 8, "entities": {"Ingredient": {"commits": 1, "events": 4}, "Recipe": {"commits": 1, "events": 3}, "RecipeType": {"commits": 1, "events": 1}}}, "#
        + #"{"day": "2026-01-05", "author": "bob", "commits": 2, "events": 2, "entities": {"Tag": {"commits": 2, "events": 2}}}]}"#
        + "\n")
    #expect(try json("--author", "bob")["commits"] as? Int == 2)
    #expect(try json("--entity", "Recipe")["events"] as? Int == 3)
    #expect(try json("--from", "2026-01-02", "--to", "2026-01-04")["commits"] as? Int == 1)
    #expect(try json("--author", "nobody")["commits"] as? Int == 0)
    _ = try kitchen.output("insert", "Tag", "name=new", "--author", "eve")
    #expect(try json("--author", "eve")["commits"] as? Int == 1)
  }

  @Test func verifyComparesTheFiguresToo() throws {
    func rows() throws -> Int {
      let run = try CommandRun(["verify", kitchen.store, "--json"])
      #expect(run.status == 0, "\(run.output)")
      let result = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      return try #require(result?["rows"] as? Int)
    }
    let before = try rows()
    _ = try kitchen.output("activity")
    // The cells, and an author's name and number, are rows that are folded again.
    #expect(try rows() > before)
  }

  @Test func theCalendarHasAColumnForEachWeek() throws {
    let lines = try kitchen.output("activity").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(
      lines == [
        "    Dec 2025", "Mon   ██", "", "Wed", "    ▒▒", "Fri ▒▒", "    ·", "Sun ·", "",
        "    Less ·  ░░ ▒▒ ▓▓ ██ More   (most: 2 commits a day)", "",
        "4 commits with 11 events on 3 days from 2026-01-01 to 2026-01-05",
        "By author (commits): bob 2, (no author) 1, ann 1",
        "By entity (events): Ingredient 4, Recipe 3, Tag 3, RecipeType 1", "",
      ])
    #expect(try kitchen.output("activity", "--author", "nobody") == "Nothing was written.\n")
  }

  @Test func aNarrowTerminalShowsTheLastWeeks() throws {
    let day = try #require(CivilDate(year: 2026, month: 1, day: 1)).daysSince1970
    let entries = (0..<100).map { number in
      Activity.Entry(
        day: "", author: "a", amount: Activity.Amount(commits: 1 + number % 7, events: 1), entities: [],
        dayNumber: day + number)
    }
    let activity = Activity(position: 1, entries: entries)
    for width in [1, 5, 6, 20, 34, 80] {
      let weeks = min(15, max(1, (width - 4) / 2))
      let lines = ActivityCalendar(activity, width: width, usesColor: false).lines
      for line in lines[1...7] {
        #expect(DisplayWidth.of(line) <= max(6, width))
        #expect(line.count <= 4 + 2 * weeks)
      }
      // The week of the last day has its Friday and no day after it.
      #expect(lines[5].count == 4 + 2 * weeks)
      #expect(lines[6].count == (weeks == 1 ? 0 : 4 + 2 * (weeks - 1)))
    }
    let plain = ActivityCalendar(activity, width: 80, usesColor: false).lines
    #expect(!plain.joined().contains("\u{1b}"))
    #expect(plain[0] == "    Dec 2025  Feb     Mar       Apr")
    #expect(ActivityCalendar(activity, width: 80, usesColor: true).lines.joined().contains("\u{1b}[38;5;46m██"))
  }

  @Test func daysAndNamesThatAreNoneAreRefused() throws {
    #expect(try kitchen.run("activity", "--from", "soon").status == 1)
    #expect(try kitchen.run("activity", "--entity", "Nothing").status == 1)
    #expect(try CommandRun(["activity", kitchen.directory.path("nothing")]).status == 1)
  }

  @Test func aRebuildCountsTheSameAgain() throws {
    let before = try kitchen.output("activity", "--json")
    #expect(try kitchen.output("rebuild", "activity") == "5\n")
    #expect(try kitchen.output("rebuild", "activity", "--json") == "{\"position\": 5}\n")
    #expect(try kitchen.output("activity", "--json") == before)
    try FileManager.default.removeItem(atPath: "\(kitchen.store)/projections")
    #expect(try kitchen.output("activity", "--json") == before)
    let unknown = try kitchen.run("rebuild", "nothing")
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("no projection “nothing”"))
  }

  @Test func statsTellOfTheLag() throws {
    #expect(try !kitchen.output("stats").contains("activity"))
    _ = try kitchen.output("activity")
    _ = try kitchen.output("insert", "Tag", "name=new")
    #expect(try kitchen.output("stats").contains("activity"))
    let stats = try JSONSerialization.jsonObject(with: Data(kitchen.output("stats", "--json").utf8)) as? [String: Any]
    let projections = try #require(stats?["projections"] as? [[String: Any]])
    let activity = try #require(projections.first { $0["name"] as? String == "activity" })
    #expect(activity["checkpoint"] as? Int == 5)
    #expect(activity["lag"] as? Int == 1)
  }

  @Test func projectionsAndWhatTheyFailedOnAreListed() throws {
    #expect(try kitchen.output("projection") == "The store has no projections of users.\n")
    #expect(try kitchen.run("projection", "activity").status == 1)
    try failOnSomething()
    #expect(try kitchen.output("projection").contains("stopped at 3"))
    #expect(
      try kitchen.output("projection", "picky", "--json")
        == #"{"projection": {"name": "picky", "version": 1, "checkpoint": 2, "lag": 3, "quarantined": 0, "#
        + #""stopped": {"position": 3, "state": "stopped", "reason": "no tags"}, "mode": null, "entities": {"Pick": 0}, "#
        + #""rows": 0, "bytes": 0, "digest": "\#(String(repeating: "0", count: 64))"}, "#
        + #""quarantine": [{"position": 3, "state": "stopped", "reason": "no tags"}]}"# + "\n")
    #expect(try kitchen.output("projection", "picky", "--skip", "3").contains("     3  skipped  no tags"))
    try failOnSomething()
    #expect(try kitchen.output("projection", "picky").contains("     4  stopped  no tags"))
    #expect(try kitchen.output("projection", "picky", "--retry", "all").contains("     3  retrying"))
    #expect(try kitchen.output("projection", "picky", "--json").contains(#""checkpoint": 3"#))
  }

  @Test func decisionsNeedACommitThatIsThere() throws {
    try failOnSomething()
    #expect(try kitchen.run("projection", "picky", "--skip", "2").status == 1)
    #expect(try kitchen.run("projection", "picky", "--retry", "9").status == 1)
    #expect(try kitchen.run("projection", "nothing", "--retry", "all").status == 1)
    #expect(try kitchen.run("projection", "picky", "--skip", "x").status == 64)
    #expect(try kitchen.run("projection", "picky", "--skip", "3", "--retry", "3").status == 64)
    #expect(try kitchen.run("projection", "--skip", "3").status == 64)
  }

  /// Opens the store with a projection that refuses tags.
  private func failOnSomething() throws {
    struct Picky: Projection {
      struct Refusal: Error, CustomStringConvertible {
        let description = "no tags"
      }
      let name = "picky"
      let version = 1
      let entities = [
        DerivedEntity(Entity(name: "Pick", attributes: [Attribute(name: "name", type: .string)]), key: ["name"])
      ]
      func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
        if !commit.inserted("Tag").isEmpty { throw Refusal() }
      }
    }
    var options = StoreOptions()
    options.projections = [Picky()]
    options.followsProjections = false
    let store = try Store(at: kitchen.store, options: options)
    defer { store.close() }
    #expect(throws: StoreError.self) { try store.projection("picky").catchUp() }
  }
}

#endif
