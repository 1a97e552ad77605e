#if Command && Import

import ArgumentParser
import Daybook
import DaybookImport

/// The options of the imports of rows.
struct TableArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The entity of the rows; the name of the file if it is left out.", valueName: "name"))
  var entity: String?

  @Option(
    help: ArgumentHelp(
      "The columns that identify an object, separated by commas: a row changes the object with these values, or inserts one.",
      valueName: "columns"))
  var key: String?

  @Option(help: ArgumentHelp("The type of a column; may be repeated.", valueName: "COLUMN=TYPE"))
  var type: [ImportAssignment] = []

  @Option(
    help: ArgumentHelp(
      "A column that names objects of another entity by a unique attribute; may be repeated.",
      valueName: "COLUMN=ENTITY.ATTRIBUTE"))
  var link: [ImportAssignment] = []

  @Flag(help: "Take an empty cell of a required string as the empty string.")
  var keepEmpty = false

  @Flag(help: "Print the report, and write nothing.")
  var dryRun = false

  @Flag(help: "Take the file's values, as an import with a key does anyway.")
  var sourceWins = false

  @Option(
    help: ArgumentHelp(
      "Make commits of so many rows. An existing store gets one commit for all without it.", valueName: "number"))
  var batch: Int?

  @OptionGroup var commit: WriteOptions
  @OptionGroup var output: JSONOption

  func validate() throws {
    if let batch, batch < 1 { throw ValidationError("--batch is \(batch); give at least 1.") }
    for assignment in type where AttributeType(rawValue: assignment.value) == nil {
      let types = AttributeType.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("“\(assignment.value)” is not a type; give one of \(types).")
    }
    for (option, given) in [("type", type), ("link", link)] where Set(given.map(\.key)).count < given.count {
      throw ValidationError("--\(option) is given twice for one column; leave one out.")
    }
    for assignment in link where TableLink(assignment) == nil {
      throw ValidationError("--link takes COLUMN=ENTITY.ATTRIBUTE, not “\(assignment.key)=\(assignment.value)”.")
    }
  }

  /// The types that the user gave.
  var types: [String: AttributeType] {
    // The names differ, as `validate` has checked.
    Dictionary(type.compactMap { pair in AttributeType(rawValue: pair.value).map { (pair.key, $0) } }) { first, _ in
      first
    }
  }

  /// Returns the entity of a file's rows.
  func entityName(of file: String) -> String { entity ?? FieldNames.entity(ofFile: file) }

  /// Runs an import with a bar of its progress, and prints the report.
  func run(_ job: TableJob) throws {
    var job = job
    job.options.key = key?.split(separator: ",").map(String.init) ?? []
    job.options.links = link.compactMap(TableLink.init)
    job.options.keepsEmpty = keepEmpty
    job.options.isDryRun = dryRun
    job.options.batchSize = batch
    job.options.author = commit.author
    job.options.message = commit.message
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

private extension TableLink {
  /// Reads `COLUMN=ENTITY.ATTRIBUTE`, or returns `nil` for a value without a dot.
  init?(_ assignment: ImportAssignment) { self.init(column: assignment.key, place: assignment.value) }
}

#endif
