#if Command

import DaybookTestSupport
import Foundation
import Testing

/// Results that cannot be written: output into a full device is no success, for no command.
@Suite(.hangLimit, .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
struct OutputFailureTests {
  /// Runs a command with its output into a full device.
  private func run(_ command: String, in directory: String) throws -> (status: Int32, errors: String) {
    let run = try shell("cd '\(directory)' && \"$DAYBOOK\" \(command) > /dev/full")
    return (run.status, run.errors)
  }

  @Test(arguments: [
    "--help", "--version", "help", "help fetch", "fetch --help", "import git --help",
    "--generate-completion-script bash", "--generate-completion-script zsh",
  ])
  func `help that cannot be written is a failure`(command: String) throws {
    let directory = try TemporaryDirectory()
    let run = try run(command, in: directory.path)
    #expect(run.status == 74, "\(command): \(run.errors)")
    #expect(run.errors.contains("Cannot write to standard output"), "\(command): \(run.errors)")
    let sound = try shell("\"$DAYBOOK\" \(command)")
    #expect(sound.status == 0 && !sound.output.isEmpty && sound.errors == "", "\(command): \(sound.errors)")
  }

  /// The commands that write, each with the position that its commit has.
  @Test(arguments: [
    ("insert recipes Tag name=x", 3), ("insert recipes Tag name=x --json", 3), ("rename recipes 00000002 x", 3),
    ("set recipes 00000002 servings=9", 3), ("set recipes Recipe --where 'servings > 0' note=x", 3),
    ("relate recipes 00000005 type 00000001", 3), ("unrelate recipes 00000002 type 00000001", 3),
    ("delete recipes 00000005", 3), ("delete recipes Recipe --where 'servings > 0'", 3),
    ("apply recipes tags", 4), ("apply recipes tags --json", 4), ("apply recipes tags --jsonl", 3),
    ("apply recipes tags --batch 2", 3), ("model recipes --apply later.json", 3), ("revert recipes 2", 3),
    ("undo recipes", 3), ("redo recipes", 4), ("init other --model model.json", 1), ("import events other events", 2),
    ("import git history --stream stream", 2),
  ])
  func `a write whose result cannot be printed says where its commit is`(command: String, position: Int) throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let directory = kitchen.directory
    func write(_ text: String, _ name: String) throws {
      try text.write(toFile: directory.path(name), atomically: false, encoding: .utf8)
    }
    try write(["a", "b"].map { #"{"insert": "Tag", "values": {"name": "\#($0)"}}"# + "\n" }.joined(), "tags")
    let further = #"{"name": "grams", "type": "double", "optional": true}, {"name": "amount""#
    try write(Kitchen.model.replacingOccurrences(of: #"{"name": "amount""#, with: further), "later.json")
    try write(try kitchen.output("export"), "events")
    try write(
      """
      commit refs/heads/main
      original-oid \(String(repeating: "a", count: 40))
      committer C <c@example.org> 1000000000 +0000
      data 1
      m
      M 100644 \(String(repeating: "b", count: 40)) file

      """, "stream")
    if command.hasPrefix("redo") { #expect(try kitchen.run("undo").status == 0) }
    let run = try run(command, in: directory.path)
    #expect(run.status == 74, "\(command): \(run.errors)")
    #expect(run.errors.contains("Cannot write to standard output"), "\(command): \(run.errors)")
    #expect(run.errors.contains("at position \(position)."), "\(command): \(run.errors)")
    #expect(run.errors.contains("Do not repeat the command."), "\(command): \(run.errors)")
    let words = command.split(separator: " ")
    let store = words[0] == "import" ? words[2] : words[1]
    let head = try shell("\"$DAYBOOK\" stats '\(directory.path(String(store)))' --json").output
    // Commits that are acknowledged one by one share flushes.
    let heads = command.hasSuffix("--jsonl") ? position...(position + 1) : position...position
    #expect(heads.contains { head.contains("\"head\": \($0),") }, "\(command): \(head)")
  }

  @Test(arguments: ["backup recipes copy", "compact recipes copy", "restore backup copy"])
  func `a copy whose result cannot be printed says that it is complete`(command: String) throws {
    let kitchen = try Kitchen(Kitchen.menu)
    #expect(try kitchen.run("backup", kitchen.directory.path("backup")).status == 0)
    let run = try run(command, in: kitchen.directory.path)
    #expect(run.status == 74, "\(command): \(run.errors)")
    #expect(run.errors.contains("it is complete at copy"), "\(command): \(run.errors)")
    #expect(try CommandRun(["verify", kitchen.directory.path("copy")]).status == 0)
  }

  @Test(arguments: [
    "fetch recipes Recipe", "get recipes 00000002", "log recipes", "stats recipes", "tree recipes", "count recipes Tag",
    "export recipes", "diff recipes Recipe --from 1", "blame recipes 00000002", "model recipes", "activity recipes",
    "replay recipes", "verify recipes", "rebuild recipes", "projection recipes",
  ])
  func `a reading command claims no commit`(command: String) throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let run = try run(command, in: kitchen.directory.path)
    #expect(run.status == 74, "\(command): \(run.errors)")
    #expect(!run.errors.contains("position"), "\(command): \(run.errors)")
  }
}

#endif
