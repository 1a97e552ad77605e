#if Command

import ArgumentParser
import Daybook
import DaybookTools
import Foundation

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write commits as JSON lines.",
    discussion: """
      The lines are those of `log --jsonl`, with all that `import events` needs to make the same journal again. A file \
      gets its name when all of it is written. The bytes of a large value come once, before the first commit that refers \
      to it, in lines of at most 1 MiB of them.

      --from and --to leave out the commits before and after. --cloudevents writes each event as a line of its own, in the \
      form of CloudEvents 1.0, for programs that take these.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The file; standard output if it is left out, or -.", completion: .file())
  var file: String?

  @Option(help: ArgumentHelp("The first commit.", valueName: "position"))
  var from: PositionText?

  @Option(help: ArgumentHelp("The last commit; the head if it is left out.", valueName: "position"))
  var to: PositionText?

  @Flag(help: "Write CloudEvents, one for each event.")
  var cloudevents = false

  func run() throws {
    try arguments.withStore { store in
      let (first, last) = try store.read { (try from?.resolve(in: $0) ?? .empty, try to?.resolve(in: $0)) }
      let form: Exporter.Form = cloudevents ? .cloudEvents : .commits
      let bar = ProgressBar()
      defer { bar.finish() }
      var exporter = Exporter(store)
      exporter.progress = { bar.show($0) }
      guard let file, file != "-" else {
        try exporter.export(from: first, to: last, as: form) { try Console.standard.write($0) }
        return
      }
      let output = try NewFile(file)
      do {
        try exporter.export(from: first, to: last, as: form) { try output.write($0) }
        try output.finish()
      } catch {
        output.discard()
        throw error
      }
    }
  }
}

#endif
