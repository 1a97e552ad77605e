#if Command

import Foundation
import Testing

/// Tests `watch --jsonl`, while other processes write.
@Suite(.hangLimit) struct WatchCommandTests {
  private let kitchen: Kitchen
  private let request = ["Recipe", "--section", "type.name", "--sort", "name"]

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
  }

  /// Starts `watch`, and reads the state.
  private func watch(_ arguments: String...) throws -> (run: RunningCommand, state: WatchedState) {
    let run = try RunningCommand(["watch", kitchen.store] + request + ["--jsonl", "--rows"] + arguments)
    return (run, try WatchedState(run.json()))
  }

  private func present() throws -> WatchedState {
    try WatchedState(of: kitchen, request[0], request[1], request[2], request[3], request[4])
  }

  private func ends(_ run: RunningCommand, at location: SourceLocation = #_sourceLocation) throws {
    let end = try run.end()
    #expect(end.status == 0 && end.errors == "" && end.output == "", "\(end)", sourceLocation: location)
  }

  @Test func theStateComesFirst() throws {
    #expect(
      try kitchen.output("watch", "Recipe", "--section", "type.name", "--jsonl", "--count", "0")
        == #"{"position": 2, "sections": [{"name": "", "count": 1}, {"name": "Dessert", "count": 1}]}"# + "\n")
    #expect(
      try kitchen.output("watch", "Recipe", "--sort", "name", "--jsonl", "--count", "0", "--rows")
        == #"{"position": 2, "sections": [{"name": "", "count": 2, "ids": ["\#(Kitchen.id(2))", "\#(Kitchen.id(5))"]}]}"#
        + "\n")
    #expect(
      try kitchen.output("watch", "Tag", "--section", "name", "--jsonl", "--count", "0")
        == #"{"position": 2, "sections": []}"# + "\n")
  }

  @Test func differencesArriveAsOtherProcessesWrite() throws {
    var (run, state) = try watch()
    let writes = [
      ["rename", "00000002", "Tart"], ["relate", "00000005", "type", "00000001"], ["rename", "00000001", "Sweet"],
      ["insert", "Recipe", "name=Bread"], ["set", "00000005", "note="], ["delete", "00000002"],
    ]
    for write in writes {
      #expect(try CommandRun([write[0], kitchen.store] + write[1...]).status == 0)
      try state.apply(run.json())
      #expect(try state == present())
    }
    run.send(SIGINT)
    try ends(run)
  }

  @Test func whatChangesNothingInTheResultIsNotPrinted() throws {
    var (run, state) = try watch("--count", "1")
    let tag = try kitchen.output("insert", "Tag", "name=sweet").trimmingCharacters(in: .newlines)
    _ = try kitchen.output("rename", "00000003", "Salt")
    _ = try kitchen.output("relate", "00000002", "tags", tag)
    _ = try kitchen.output("set", "00000002", "servings=9")
    try state.apply(run.json())
    #expect(state.position == 6)
    try ends(run)
  }

  @Test func aPastPositionIsCaughtUpWith() throws {
    _ = try kitchen.output("rename", "00000002", "Tart")
    _ = try kitchen.output("rename", "00000001", "Sweet")
    for start in [0, 1, 2, 3] {
      var (run, state) = try watch("--from", "\(start)", "--count", "1")
      #expect(state.position == start)
      try state.apply(run.json())
      #expect(try state == present())
      try ends(run)
    }
    #expect(try kitchen.run("watch", "Recipe", "--from", "9", "--jsonl").status == 1)
    #expect(try kitchen.run("watch", "Recipe", "--count", "-1", "--jsonl").status == 64)
  }

  @Test func everyCommitIsALineIfAskedFor() throws {
    let renames = (1...100).map { "{\"rename\": \"\(Kitchen.id(2))\", \"to\": \"Cake \($0)\"}\n" }.joined()
    _ = try kitchen.output("apply", input: renames)
    var (run, state) = try watch("--from", "2", "--every-commit", "--count", "150")
    for position in 3...102 {
      try state.apply(run.json())
      #expect(state.position == position)
    }
    _ = try kitchen.output("apply", input: renames)
    for position in 103...152 {
      try state.apply(run.json())
      #expect(state.position == position)
    }
    try ends(run)
  }

  @Test func aBurstMayBeCoalescedAndStaysExact() throws {
    var (run, state) = try watch()
    let burst = (1...300).map { number in
      switch number % 3 {
      case 0: "{\"rename\": \"\(Kitchen.id(2))\", \"to\": \"\(number % 2 == 0 ? "A" : "Z")\(number)\"}\n"
      case 1: "{\"insert\": \"Recipe\", \"values\": {\"name\": \"R\(number * 7 % 300)\"}}\n"
      default: "{\"rename\": \"\(Kitchen.id(1))\", \"to\": \"T\(number)\"}\n"
      }
    }
    _ = try kitchen.output("apply", input: burst.joined())
    while state.position < 302 { try state.apply(run.json()) }
    #expect(try state == present())
    run.send(SIGTERM)
    try ends(run)
  }

  @Test func aModelThatMattersIsAReset() throws {
    let (run, _) = try watch()
    let path = kitchen.directory.path("next.json")
    let unordered = Kitchen.model.replacing("\"order\": \"natural\"", with: "\"order\": \"codepoint\"")
    try unordered.write(toFile: path, atomically: false, encoding: .utf8)
    _ = try kitchen.output("model", "--apply", path)
    #expect(try run.line() == #"{"from": 2, "to": 3, "reset": true}"# + "\n")
    _ = try kitchen.output("rename", "00000002", "Tart")
    let next = try run.json()
    #expect(next["from"] as? Int == 3 && next["to"] as? Int == 4)
    run.send(SIGINT)
    try ends(run)
  }

  @Test func aWrongRequestPointsAtTheColumn() throws {
    let wrong = try kitchen.run("watch", "Recipe", "--jsonl", "--where", "name == \"x\" AND nam == 2")
    #expect(wrong.status == 1 && wrong.output == "")
    #expect(wrong.errors.contains("at column 17\nname == \"x\" AND nam == 2\n                ^\n"))
    let malformed = try kitchen.run("watch", "Recipe", "--jsonl", "--where", "name BEGINSWIHT \"Ch\"")
    #expect(malformed.status == 1 && malformed.output == "" && malformed.errors.contains("^"))
    #expect(try kitchen.run("watch", "Recip", "--jsonl", "--from", "0").status == 1)
    #expect(try CommandRun(["watch", "/nowhere", "Recipe", "--jsonl"]).status == 1)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsItWhileNothingHappens(signal: Int32) throws {
    let (run, _) = try watch()
    run.send(signal)
    try ends(run)
  }

  @Test func aClosedPipeEndsItWhileNothingHappens() throws {
    let (run, _) = try watch()
    run.closeOutput()
    let end = try run.end()
    #expect(end.status == 0 && end.errors == "")
    let piped = try shell(
      "timeout 30 \"$DAYBOOK\" watch '\(kitchen.store)' Recipe --jsonl | head -n 1; echo ${PIPESTATUS[0]}")
    #expect(piped.output.hasSuffix("}\n0\n") && piped.errors == "")
  }

  @Test func peopleGetLinesWhereThereIsNoTerminal() throws {
    let run = try kitchen.start("watch", "Recipe", "--section", "type.name", "--sort", "name", "--count", "2")
    #expect(try [run.line(), run.line(), run.line()] == ["1  \n", "1  Dessert\n", "2 rows at position 2\n"])
    _ = try kitchen.output("rename", "00000002", "Tart")
    #expect(
      try [run.line(), run.line()] == [
        "position 2 to 3\n", "  ~ update [1, 0] → [1, 0]  Tart (00000002)  by 3\n",
      ])
    _ = try kitchen.output("delete", "00000002")
    #expect(
      try [run.line(), run.line(), run.line()] == [
        "position 3 to 4\n", "  - section 1 “Dessert”\n", "  - delete [1, 0]  Tart (00000002)  by 4\n",
      ])
    try ends(run)
  }
}

#endif
