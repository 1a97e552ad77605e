#if Command

import Testing

/// Metadata, causes, correlations and conditions in lines of `daybook apply`.
@Suite(.hangLimit) struct ReasonsCommandTests {
  private let kitchen: Kitchen
  private let cake = Kitchen.id(2)

  init() throws { kitchen = try Kitchen(Kitchen.menu) }

  @Test func aLineSaysWhyAndTheLogShowsIt() throws {
    let line =
      #"{"set": "\#(cake)", "values": {"servings": 9}, "metadata": {"b": 1, "a": "x"}, "causation": 2, "correlation": "flow"}"#
    _ = try kitchen.output("apply", input: line + "\n")
    let json = try kitchen.output("log", "--from", "3", "--jsonl")
    #expect(json.contains(#""metadata": {"a": "x", "b": 1}, "causation": 2, "correlation": "flow""#))
    #expect(try !kitchen.output("log", "--to", "2", "--jsonl").contains("metadata"))
    let text = try kitchen.output("log", "--from", "3")
    #expect(text.contains("Caused by 2") && text.contains("Part of flow") && text.contains("With a x, b 1"))
    let refused = try kitchen.run("apply", input: #"{"delete": "\#(cake)", "causation": 9}"# + "\n")
    #expect(refused.status == 1 && refused.errors.contains("no commit 9"))
  }

  @Test func aLineWhoseConditionNoLongerHoldsIsRefused() throws {
    _ = try kitchen.output("set", cake, "servings=5")
    let pie = Kitchen.id(5)
    func apply(_ condition: String) throws -> CommandRun {
      try kitchen.run("apply", input: #"{"set": "\#(pie)", "values": {"note": "x"}, "when": \#(condition)}"# + "\n")
    }
    let broken = [
      #"{"untouched": "\#(cake)", "since": 2}"#, #"{"untouched": ["\#(pie)", "\#(cake)"], "since": 2}"#,
      #"{"unchanged": {"entity": "Recipe", "where": "servings >= 5"}, "since": 2}"#,
      #"{"unchanged": {"entity": "Recipe"}, "since": 2}"#,
    ]
    for condition in broken {
      let run = try apply(condition)
      #expect(run.status == 1 && run.errors.contains("after commit 2, by 3"), "\(condition): \(run.errors)")
    }
    let wrong = [
      #"{"untouched": [], "since": 2}"#, #"{"untouched": "26f8", "since": 2}"#, #"{"since": 2}"#,
      #"{"untouched": "\#(cake)"}"#, #"{"untouched": "\#(cake)", "unchanged": {"entity": "Recipe"}, "since": 2}"#,
      #"{"unchanged": {"where": "servings > 1"}, "since": 2}"#, #"{"unchanged": {"entity": "Cook"}, "since": 2}"#,
      #"{"unchanged": {"entity": "Recipe", "where": "servings >"}, "since": 2}"#, #"{"untouched": [1], "since": 2}"#,
      #"{"unchanged": {"entity": "Recipe", "limit": 1}, "since": 2}"#, #"{"untouched": "\#(cake)", "since": -1}"#,
    ]
    for condition in wrong {
      let run = try apply(condition)
      #expect(run.status == 1 && run.errors.contains("Line 1"), "\(condition): \(run.errors)")
    }
    #expect(try kitchen.output("log", "--from", "3").split(separator: "\n").count == 2)
    for condition in [
      #"{"untouched": ["\#(pie)", "\#(cake)"], "since": 3}"#,
      #"{"unchanged": {"entity": "Recipe", "where": "name == \"Pie\" AND servings > 7"}, "since": 2}"#,
    ] {
      #expect(try apply(condition).status == 0)
    }
  }
}

#endif
