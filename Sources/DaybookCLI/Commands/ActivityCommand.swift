#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct ActivityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activity", abstract: "Show who wrote how much on which day.",
    discussion: """
      A calendar has a column for each week and a row for each day of it; the denser a block, the more commits. As many \
      weeks are shown as the terminal has room for, 53 elsewhere, up to the last day with a commit. Days are those of \
      UTC, on which commits happened, else were recorded.

      The figures are kept in the store by the projection “activity”, which takes in what is new each time; `daybook \
      rebuild STORE activity` counts all of it again.
      """)

  @OptionGroup var arguments: StoreArguments

  @Option(help: ArgumentHelp("Count only what this author wrote.", valueName: "name"))
  var author: String?

  @Option(help: ArgumentHelp("Count only events of this entity, and commits that have any.", valueName: "name"))
  var entity: String?

  @Option(help: ArgumentHelp("The first day, such as 2026-01-02.", valueName: "day"))
  var from: String?

  @Option(help: ArgumentHelp("The last day.", valueName: "day"))
  var to: String?

  @OptionGroup var output: JSONOption

  func run() throws {
    let bar = ProgressBar()
    let activity = try arguments.withStore(knowing: [ActivityProjection()]) { store in
      defer { bar.finish() }
      return try store.activity(author: author, entity: entity, from: from, to: to) { bar.show($0) }
    }
    if output.json { return try Console.standard.print(activity.json) }
    let calendar = ActivityCalendar(activity, width: Console.standard.width, usesColor: Console.standard.usesColor)
    for line in calendar.lines { try Console.standard.print(line) }
  }
}

#endif
