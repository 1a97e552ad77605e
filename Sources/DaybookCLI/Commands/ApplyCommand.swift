#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct ApplyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Apply operations, given as JSON lines.",
    discussion: """
      A line is one operation, which is a commit of its own, or a commit of several:

        {"insert": "RecipeType", "as": "$dessert", "values": {"name": "Dessert"}}
        {"commit": [{"insert": "Recipe", "as": "$cake", "values": {"name": "Cake"}, "relate": {"type": "$dessert"}},
                    {"rename": "$cake", "to": "Chocolate cake"}], "author": "editor", "message": "first"}
        {"upsert": "Tag", "key": ["name"], "values": {"name": "sweet"}, "as": "$sweet"}
        {"set": "$cake", "values": {"servings": 8, "note": null}}
        {"relate": "$cake", "relationship": "tags", "to": "$sweet", "before": "$other"}
        {"unrelate": "$cake", "relationship": "tags", "to": "$sweet"}
        {"delete": "$cake"}
        {"record": "RecipeCooked", "about": "$cake", "values": {"servings": 6}}

      An upsert changes the object that has the values of its key, or inserts one. The key is exactly one uniqueness \
      constraint of the entity. Values and to-one links that differ are set, links of a to-many relationship are added; \
      where nothing differs, nothing is written. A null in the key inserts.

      A value of data is base64, the bytes of a file, or the reference of a large value that the store has:

        {"set": "$cake", "values": {"photo": {"file": "cake.jpg"}}}
        {"set": "$cake", "values": {"photo": {"sha256": "...", "size": 1500000}}}

      The path of a file is relative to the current directory. A file has at most 64 MiB, and must not be changed \
      before its line is applied.

      A line with a commitID that the store knows is not applied again, and answers as it did then. A line that cannot \
      be applied ends the command; the commits before it stand.

      With --jsonl each commit is acknowledged as soon as it is on disk.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The file; standard input if it is left out, or -.", completion: .file())
  var file: String?

  @Option(help: ArgumentHelp("Put this many single operations in one commit.", valueName: "count"))
  var batch = 1

  @OptionGroup var commit: WriteOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if batch < 1 { throw ValidationError("--batch takes a number from 1.") }
  }

  func run() throws {
    let lines = try LineReader(path: file ?? "-")
    try arguments.withStore { store in
      var runner = OperationRunner(
        store: store, source: lines, batchSize: batch, info: commit.info, readsFiles: true)
      do {
        try print(runner.run(acknowledge))
      } catch let error as StoreError {
        throw StoreError(error.code, error.message, advice: advice(error, runner.summary).map { .text($0) })
      }
    }
  }

  private func acknowledge(_ acknowledgement: OperationAcknowledgement) throws {
    guard output.jsonl else { return Console.standard.noteWritten(acknowledgement.position) }
    // Several commits share a flush: commits after this one in the input may be on disk before it is acknowledged.
    Console.standard.noteWritten(
      "The write itself succeeded: it is at position \(acknowledgement.position). Further ones may stand after it.")
    let ids = acknowledgement.ids.map { (key: $0.name, value: $0.id.map { JSONValue.string($0.description) } ?? .null) }
    try Console.standard.print(["position": acknowledgement.position.json, "ids": .object(ids)])
    try Console.standard.flush()
  }

  private func print(_ summary: OperationSummary) throws {
    if output.jsonl { return }
    if output.json {
      return try Console.standard.print([
        "head": summary.head.json, "commits": .integer(Int64(summary.commitCount)),
        "events": .integer(Int64(summary.eventCount)),
      ])
    }
    try Console.standard.print(summary.head.description)
  }

  private func advice(_ error: StoreError, _ summary: OperationSummary) -> String? {
    let made =
      switch summary.commitCount {
      case 0: "Nothing was written."
      case 1: "The commit before it stands, at position \(summary.head)."
      default: "The \(summary.commitCount) commits before it stand, up to position \(summary.head)."
      }
    guard error.code != .unknownOutcome else { return error.remedy?.command }
    return [error.remedy?.command, made].compactMap { $0 }.joined(separator: " ")
  }
}

#endif
