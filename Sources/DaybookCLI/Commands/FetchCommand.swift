#if Command

import ArgumentParser
import Daybook

struct FetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Show the objects, or the groups of objects, that a request asks for.",
    discussion: """
      daybook fetch STORE Recipe --where 'servings >= 4' --section type.name --sort name:desc
      daybook fetch STORE Recipe --group type.name --show 'count, sum:servings' --having 'count > 3' --sort count:desc

      With --group the rows are groups: --where is about the objects; --having, --sort, --section and --limit are about the \
      groups. A value is count, or sum, average, min, max, distinct, first or last with a colon and a key path; NAME = \
      before it names it. Groups are sorted by their keys at last. `daybook diff`, `watch`, `replay`, `count` and \
      `bisect` take groups too.

      --explain says how the request would be answered, and does not answer it.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The entity.")
  var entity: String

  @OptionGroup var options: RequestOptions

  @OptionGroup var past: PastOption

  @Flag(help: "Say how the request would be answered: from which view, what is tested and what is sorted.")
  var explain = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let request = try options.request(for: entity)
    try arguments.withStore { store in
      try past.read(entity, in: store) { reader in
        if explain { return try explain(request, reader) }
        if output.json { return try FetchPrinter(.standard).printJSON(request, reader) }
        if output.jsonl { return try FetchPrinter(.standard).printJSONLines(request, reader) }
        try FetchPrinter(.standard).printText(request, reader)
      }
    }
  }

  private func explain(_ request: FetchRequest, _ reader: borrowing StoreReader) throws {
    let plan = try reader.explain(request)
    if output.json || output.jsonl {
      try Console.standard.print(["position": reader.position.json, "plan": .string(plan)])
    } else {
      try Console.standard.print(plan)
    }
  }
}

#endif
