#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Show what led to a commit and what came of it.",
    discussion: """
      Commits are linked by the commit that each names as its cause. The first line is the commit with which it began; \
      below each commit are those that name it as their cause. The commit itself is marked with an asterisk.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: ArgumentHelp("The commit: a number, head, or a time.", valueName: "position"))
  var position: PositionText

  @OptionGroup var output: JSONOption

  func run() throws {
    try arguments.withStore { store in
      let trace = try store.trace(of: store.read { try position.resolve(in: $0) })
      if output.json { return try Console.standard.print(trace.json) }
      for line in trace.lines { try Console.standard.print(line) }
      if trace.isCutShort { try Console.standard.print("and more") }
    }
  }
}

#endif
