#if Command && Import

import ArgumentParser
import Daybook
import DaybookImport

/// The options of the imports of other programs' files.
struct ImportArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("A name in the store in place of the source's; may be repeated.", valueName: "ENTITY.FIELD=NAME")
  )
  var rename: [ImportAssignment] = []

  @Option(
    help: ArgumentHelp(
      "The attribute that identifies the objects of an entity, in place of its row; may be repeated.",
      valueName: "ENTITY=ATTRIBUTE"))
  var identity: [ImportAssignment] = []

  @Option(
    help: ArgumentHelp(
      "The date at which objects were created: a commit for each; * for each entity with it. May be repeated.",
      valueName: "ENTITY.ATTRIBUTE"))
  var created: [String] = []

  @Flag(help: "Make rules weaker that rows break: values become optional, limits count for new values.")
  var relax = false

  @Flag(help: "Print the report, and write nothing.")
  var dryRun = false

  @Flag(help: "Where the source and the store changed the same value, take the source's.")
  var sourceWins = false

  @Option(
    help: ArgumentHelp(
      "Make commits of so many objects or links. An existing store gets one commit for all without it.",
      valueName: "number"))
  var batch: Int?

  @OptionGroup var commit: WriteOptions
  @OptionGroup var output: JSONOption

  func validate() throws {
    if let batch, batch < 1 { throw ValidationError("--batch is \(batch); give at least 1.") }
    for place in created where creationTime(place) == nil {
      throw ValidationError("--created takes ENTITY.ATTRIBUTE, not “\(place)”.")
    }
    if Set(created.compactMap { creationTime($0)?.entity }).count < created.count {
      throw ValidationError("--created is given twice for one entity; leave one out.")
    }
    for (option, given) in [("rename", rename), ("identity", identity)] {
      guard Set(given.map(\.key)).count < given.count else { continue }
      throw ValidationError("--\(option) is given twice for one name; leave one out.")
    }
  }

  /// The choices of the import.
  var options: ImportOptions {
    var options = ImportOptions()
    // The keys differ, as `validate` has checked.
    options.translation.renames = Dictionary(rename.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    options.identities = Dictionary(identity.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    for case (let entity, let attribute)? in created.map(creationTime) { options.creationTimes[entity] = attribute }
    options.relaxes = relax
    options.isDryRun = dryRun
    options.sourceWins = sourceWins
    options.batchSize = batch
    options.author = commit.author
    options.message = commit.message
    return options
  }

  /// Reads `ENTITY.ATTRIBUTE`, or returns `nil` for another text.
  private func creationTime(_ text: String) -> (entity: String, attribute: String)? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 && !parts.contains("") ? (parts[0], parts[1]) : nil
  }

  /// Runs an import with a bar of its progress, and prints the report.
  func run(_ job: ImportJob) throws {
    var job = job
    let bar = ProgressBar()
    let report: ImportReport
    do {
      defer { bar.finish() }
      job.storeOptions = StoreArguments.libraries
      job.progress = { bar.show($0) }
      report = try job.run()
    }
    if let head = report.head { Console.standard.noteWritten(head) }
    try output.json ? Console.standard.print(report.json) : Console.standard.print(report.text)
  }
}

/// A name and what it gets: `Recipe.id=number`.
struct ImportAssignment: ExpressibleByArgument {
  let key: String
  let value: String

  init?(argument: String) {
    guard let place = argument.firstIndex(of: "="), place > argument.startIndex else { return nil }
    key = String(argument[..<place])
    value = String(argument[argument.index(after: place)...])
    if value.isEmpty { return nil }
  }
}

#endif
