#if Command

import Foundation
import Testing

/// Filters that name the present time: `fetch`, `count`, `diff` and `watch`.
@Suite(.hangLimit) struct TimeCommandTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
  }

  @Test func `the present is the clock's, and a position's is its recorded time`() throws {
    let filter = "createdAt < now"
    _ = try kitchen.output("insert", "Tag", "name=sweet")
    #expect(try kitchen.output("count", "Tag", "--where", filter) == "1\n")
    #expect(try kitchen.output("count", "Tag", "--where", filter, "--at", "head") == "0\n")
    #expect(try kitchen.output("count", "Tag", "--where", filter, "--at", "3") == "0\n")
    #expect(try kitchen.output("count", "Tag", "--where", "createdAt < now - 1w") == "0\n")
    _ = try kitchen.output("insert", "Tag", "name=sour")
    #expect(try kitchen.output("count", "Tag", "--where", filter, "--at", "head") == "1\n")
    let difference = try kitchen.output("diff", "Tag", "--where", filter, "--from", "3", "--to", "4", "--json")
    #expect(difference.components(separatedBy: #"["time"]"#).count == 2, "\(difference)")
    #expect(try kitchen.output("fetch", "Tag", "--where", filter, "--explain").contains("range createdAt"))
  }

  @Test(arguments: [[], ["--group", "name"], ["--section", "name"], ["--show", "name"]])
  func `the text of a result is printed by the time`(options: [String]) throws {
    _ = try kitchen.output("insert", "Tag", "name=sweet")
    _ = try kitchen.output("insert", "Tag", "name=sour")
    let text = try CommandRun(["fetch", kitchen.store, "Tag", "--where", "createdAt < now"] + options)
    #expect(text.status == 0 && text.output.contains("sweet"), "\(text.errors)")
  }

  @Test func `a watched list moves when the moment comes`() throws {
    _ = try kitchen.output("insert", "Tag", "name=sweet")
    let run = try RunningCommand(
      ["watch", kitchen.store, "Tag", "--where", "createdAt < now - 10s", "--jsonl", "--count", "1"])
    #expect(try "\(run.json())".contains("sections"))
    #expect(try "\(run.json())".contains("time"))
    let end = try run.end()
    #expect(end.status == 0 && end.errors == "")
  }

  @Test func `a wrong distance is reported under its column`() throws {
    let run = try kitchen.run("fetch", "Recipe", "--where", "createdAt < now + 2")
    #expect(run.status == 64 || run.status == 1)
    #expect(run.errors.contains("column 19") && run.errors.contains("a unit"), "\(run.errors)")
  }
}

#endif
