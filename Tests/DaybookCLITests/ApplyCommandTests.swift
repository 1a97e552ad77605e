#if Command

import Foundation
import Testing

@Suite(.hangLimit) struct ApplyCommandTests {
  @Test func theSummaryCountsCommitsAndEvents() throws {
    let kitchen = try Kitchen()
    #expect(
      try kitchen.output("apply", "--json", input: Kitchen.menu + #"{"delete": "00000002"}"#)
        == "{\"head\": 3, \"commits\": 2, \"events\": 14}\n")
    #expect(try kitchen.output("apply", "--json") == "{\"head\": 3, \"commits\": 0, \"events\": 0}\n")
    #expect(try kitchen.output("apply") == "3\n")
  }

  @Test func namesHoldForTheRestOfTheInput() throws {
    let kitchen = try Kitchen()
    let output = try kitchen.output(
      "apply", "--jsonl",
      input: """
        {"insert": "RecipeType", "as": "$dessert", "id": "\(Kitchen.id(1))", "values": {"name": "Dessert"}}

        {"commit": [{"insert": "Recipe", "as": "$cake", "id": "\(Kitchen.id(2))", "values": {"name": "Cake"}, "relate": {"type": "$dessert"}}, {"rename": "$cake", "to": "Chocolate cake"}], "author": "editor"}
        {"set": "$cake", "values": {"servings": 8, "note": null}}
        {"set": "$cake", "values": {"servings": 8}}
        {"insert": "Tag", "as": "$a", "id": "\(Kitchen.id(3))", "values": {"name": "a"}, "relate": {"recipes": ["$cake"]}}
        {"unrelate": "$cake", "relationship": "tags", "to": "$a"}
        {"delete": "$cake"}
        """)
    #expect(
      output == """
        {"position": 2, "ids": {"$dessert": "\(Kitchen.id(1))"}}
        {"position": 3, "ids": {"$cake": "\(Kitchen.id(2))"}}
        {"position": 4, "ids": {}}
        {"position": 4, "ids": {}}
        {"position": 5, "ids": {"$a": "\(Kitchen.id(3))"}}
        {"position": 6, "ids": {}}
        {"position": 7, "ids": {}}

        """)
  }

  @Test func aLineThatFailsLeavesTheOnesBeforeIt() throws {
    let kitchen = try Kitchen()
    let run = try kitchen.run(
      "apply", "--jsonl",
      input: """
        {"insert": "Tag", "values": {"name": "a"}}
        {"insert": "Tag", "values": {"name": "b"}}
        {"commit": [{"insert": "Tag", "values": {"name": "c"}}, {"insert": "Tag", "values": {"colour": "d"}}]}
        {"insert": "Tag", "values": {"name": "e"}}
        """)
    #expect(run.status == 1)
    #expect(run.output == "{\"position\": 2, \"ids\": {}}\n{\"position\": 3, \"ids\": {}}\n")
    #expect(
      run.errors == """
        daybook: Line 3: Tag has no attribute “colour”.
        It has name. The 2 commits before it stand, up to position 3.

        """)
    #expect(try kitchen.output("fetch", "Tag", "--jsonl").split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    ("nonsense", "Line 1: column 1: "),
    ("[]", "Line 1: an operation is a JSON object, not an array."),
    (#"{"inser": "Tag"}"#, "Line 1: an operation says one of insert"),
    (#"{"insert": "Tag", "colour": 1}"#, "Line 1: “colour” is not known here."),
    (#"{"insert": "Tag", "as": "cake"}"#, "Line 1: “as” takes a name that begins with $, not “cake”."),
    (#"{"insert": "Tag", "id": "12"}"#, "Line 1: “id” takes a whole UUID, not “12”."),
    (#"{"rename": "$cake"}"#, "Line 1: “rename” needs “to”."),
    (#"{"rename": 7, "to": "a"}"#, "Line 1: “rename” takes the id or the $name of an object, not a number."),
    (#"{"delete": "$cake"}"#, "Line 1: No insert before this gave an object the name $cake."),
    (#"{"delete": "abcdef"}"#, "Line 1: No object has an identity with “abcdef” in it."),
    (#"{"commit": {}}"#, "Line 1: “commit” takes a list of operations, not an object."),
    (#"{"commit": [{"delete": "$a"}, 3]}"#, "Line 1: operation 2 of the commit: an operation is a JSON object"),
    (#"{"commit": [{"delete": "$a", "author": "me"}]}"#, "operation 1 of the commit: “author” is not known here."),
    (#"{"delete": "$a", "happenedAt": "soon"}"#, "Line 1: “happenedAt” takes a time"),
    (#"{"relate": "$a", "relationship": "b", "to": "$c", "before": "$d", "after": "$e"}"#, "cannot both be given."),
    (#"{"insert": "Tag", "values": {"name": 7}}"#, "Line 1: Tag.name: “7” is not a string"),
    (#"{"insert": "Recipe", "values": {"name": "a"}, "relate": {"type": []}}"#, "takes an id and not a list"),
  ])
  func aWrongLineSaysWhatIsWrong(line: String, message: String) throws {
    let kitchen = try Kitchen()
    let run = try kitchen.run("apply", input: line)
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("daybook: Line 1: "))
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.errors.contains("Nothing was written."))
  }

  @Test func batchesAreAtomicAndLeaveLinesThatStandAlone() throws {
    let kitchen = try Kitchen()
    func insert(_ name: String, _ more: String = "") -> String {
      #"{"insert": "Tag", "values": {"name": "\#(name)"}\#(more)}"#
    }
    let lines = [
      insert("a"), insert("b"), insert("c"), insert("d", #", "author": "me""#), #"{"commit": []}"#, insert("e"),
      insert("f"), insert("g"),
    ]
    let run = try kitchen.run("apply", "--batch", "2", "--jsonl", input: lines.joined(separator: "\n"))
    #expect(run.lines.map { $0.dropFirst(13).prefix(1) } == ["2", "3", "4", "4", "5", "6"])
    let failed = try kitchen.run(
      "apply", "--batch", "2", "--json", input: [insert("h"), insert("i"), insert("j"), "oops"].joined(separator: "\n"))
    #expect(failed.status == 1)
    #expect(failed.output == "")
    #expect(failed.errors.contains("Line 4: "))
    #expect(try kitchen.output("fetch", "Tag", "--jsonl").split(separator: "\n").count == 9)
  }

  @Test func aBatchThatBreaksAConstraintNamesTheLine() throws {
    let kitchen = try Kitchen()
    let names = ["a", "b", "a", "c"]
    let lines = names.map { #"{"insert": "Recipe", "values": {"name": "\#($0)"}}"# }
    let run = try kitchen.run("apply", "--batch", "10", input: lines.joined(separator: "\n"))
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("daybook: Line 3: Recipe "), "\(run.errors)")
    #expect(try kitchen.output("fetch", "Recipe", "--jsonl") == "")
  }

  @Test func aBatchMayBreakAConstraintInBetween() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let lines = [#"{"rename": "00000002", "to": "Pie"}"#, #"{"rename": "00000005", "to": "Cake"}"#]
    #expect(try kitchen.output("apply", "--batch", "10", input: lines.joined(separator: "\n")) == "3\n")
  }

  @Test func aCommitThatIsSentAgainAnswersAsBefore() throws {
    let kitchen = try Kitchen()
    let line = """
      {"commit": [{"insert": "Tag", "as": "$a", "values": {"name": "a"}}, {"insert": "Tag", "as": "$b", "values": {"name": "b"}}], "commitID": "\(Kitchen.id(7))"}

      """
    let first = try kitchen.output("apply", "--jsonl", input: line)
    #expect(first.hasPrefix("{\"position\": 2, \"ids\": {\"$a\": "))
    _ = try kitchen.output("insert", "Tag", "name=c")
    #expect(try kitchen.output("apply", "--jsonl", input: line) == first)
    #expect(try kitchen.output("apply", "--json", input: line) == "{\"head\": 3, \"commits\": 0, \"events\": 0}\n")
    #expect(
      try kitchen.output("apply", "--jsonl", input: line + line + #"{"rename": "$b", "to": "d"}"#)
        == first + first + "{\"position\": 4, \"ids\": {}}\n")
    let other = try kitchen.run("apply", input: #"{"delete": "$a", "commitID": "\#(Kitchen.id(7))"}"#)
    #expect(other.status == 1)
    #expect(other.errors.contains("Commit 2 has the same commit id and 2 inserts, but here are 0."))
  }

  @Test func acknowledgementsComeWhileThePipeIsOpen() throws {
    let kitchen = try Kitchen()
    let run = try shell(
      """
      coproc "$DAYBOOK" apply '\(kitchen.store)' --jsonl
      echo '{"insert": "Tag", "as": "$a", "id": "\(Kitchen.id(1))", "values": {"name": "a"}}' >&${COPROC[1]}
      read -t 20 -u ${COPROC[0]} line; echo "$line"
      echo '{"delete": "$a"}' >&${COPROC[1]}
      read -t 20 -u ${COPROC[0]} line; echo "$line"
      pid=$COPROC_PID; exec {COPROC[1]}>&-; wait $pid; echo "status $?"
      """)
    #expect(
      run.output == """
        {"position": 2, "ids": {"$a": "\(Kitchen.id(1))"}}
        {"position": 3, "ids": {}}
        status 0

        """)
  }

  @Test func authorAndMessageFillWhatLinesLeaveOut() throws {
    let kitchen = try Kitchen()
    let lines = [
      #"{"insert": "Tag", "values": {"name": "a"}}"#, #"{"insert": "Tag", "values": {"name": "b"}, "author": "b"}"#,
    ]
    #expect(
      try kitchen.output("apply", "--author", "me", "--message", "why", input: lines.joined(separator: "\r\n")) == "3\n"
    )
  }

  @Test func manyLinesAreAppliedQuickly() throws {
    let kitchen = try Kitchen()
    let lines = (0..<20_000).map { #"{"insert": "Tag", "as": "$t\#($0)", "values": {"name": "tag \#($0)"}}"# }
    #expect(
      try kitchen.output("apply", "--batch", "1000", "--json", input: lines.joined(separator: "\n"))
        == "{\"head\": 21, \"commits\": 20, \"events\": 20000}\n")
  }
}

#endif
