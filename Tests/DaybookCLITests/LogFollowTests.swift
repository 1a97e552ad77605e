#if Command

import Foundation
import Testing

/// Tests `log --follow`.
@Suite(.hangLimit) struct LogFollowTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
  }

  private func ends(_ run: RunningCommand, at location: SourceLocation = #_sourceLocation) throws {
    let end = try run.end()
    #expect(end.status == 0 && end.errors == "" && end.output == "", "\(end)", sourceLocation: location)
  }

  @Test func newCommitsFollowThoseThatAreThere() throws {
    let run = try kitchen.start("log", "--follow", "--jsonl")
    for position in 1...2 { #expect(try run.json()["position"] as? Int == position) }
    for position in 3...5 {
      _ = try kitchen.output("set", "00000002", "servings=\(position * 2)")
      #expect(try run.json()["position"] as? Int == position)
    }
    let renames = (1...300).map { "{\"rename\": \"\(Kitchen.id(2))\", \"to\": \"Cake \($0)\"}\n" }.joined()
    _ = try kitchen.output("apply", input: renames)
    var lines: [String] = []
    for _ in 6...305 { lines.append(try run.line()) }
    #expect(try lines.joined() == kitchen.output("log", "--jsonl", "--from", "6"))
    run.send(SIGINT)
    try ends(run)
  }

  @Test func textHasPresentNames() throws {
    let run = try kitchen.start("log", "--follow", "--from", "head")
    #expect(try run.text(through: "Recipe Pie (00000005) inserted: name Pie, servings 1, note hot\n").hasPrefix("2  "))
    _ = try kitchen.output("rename", "00000005", "Tart", "--author", "editor")
    #expect(
      try run.text(through: "renamed to Tart\n").hasSuffix("  editor\n   Recipe Pie (00000005) renamed to Tart\n"))
    _ = try kitchen.output("set", "00000005", "servings=3")
    #expect(try run.text(through: "3\n").hasSuffix("\n   Recipe Tart (00000005) set servings 1 → 3\n"))
    run.send(SIGTERM)
    try ends(run)
  }

  @Test func theNextCommitIsAPlaceToBegin() throws {
    let run = try kitchen.start("log", "--follow", "--jsonl", "--from", "3", "--limit", "2")
    for position in 3...5 { _ = try kitchen.output("set", "00000002", "servings=\(position * 2)") }
    #expect(try [run.json(), run.json()].map { $0["position"] as? Int } == [3, 4])
    try ends(run)
    #expect(try kitchen.run("log", "--follow", "--from", "9").status == 1)
  }

  @Test func anObjectHasItsOwnLog() throws {
    let run = try kitchen.start("log", "--follow", "--jsonl", "--object", "00000005", "--limit", "3")
    #expect(try run.json()["position"] as? Int == 2)
    _ = try kitchen.output("set", "00000002", "servings=8")
    _ = try kitchen.output("relate", "00000005", "type", "00000001")
    _ = try kitchen.output("rename", "00000001", "Sweet")
    _ = try kitchen.output("delete", "00000005")
    let related = try run.json()
    #expect(related["position"] as? Int == 4 && (related["events"] as? [Any])?.count == 1)
    let deleted = try run.json()
    #expect(deleted["position"] as? Int == 6)
    try ends(run)
  }

  @Test func aClosedPipeEndsItWhileNothingHappens() throws {
    let run = try kitchen.start("log", "--follow", "--jsonl")
    _ = try run.line()
    run.closeOutput()
    let end = try run.end()
    #expect(end.status == 0 && end.errors == "")
  }

  @Test func whatHasAnEndExcludesFollowing() throws {
    for option in [["--json"], ["--reverse"], ["--to", "2"], ["--to", "head"]] {
      let run = try CommandRun(["log", kitchen.store, "--follow"] + option)
      #expect(run.status == 64 && run.output == "")
      #expect(run.errors.contains("--follow"))
    }
    #expect(try kitchen.output("log", "--follow", "--limit", "0", "--jsonl") == "")
  }
}

#endif
