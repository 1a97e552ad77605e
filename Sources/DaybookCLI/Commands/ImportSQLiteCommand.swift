#if Command && Import

import ArgumentParser
import Daybook
import DaybookImport

struct ImportSQLiteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sqlite", abstract: "Import the tables of a SQLite file.",
    discussion: """
      A table becomes an entity, a foreign key a relationship to one object, and a table of nothing but two foreign keys \
      a relationship to many. Types follow from the declarations and from all values. The file is not changed.

      A store that is missing is created as a whole. One that exists gets what the file has changed since the last \
      import, in one commit; without a change there is none.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Flag(help: "Declare the way back over each foreign key, which also keeps its ON DELETE.")
  var inverses = false

  @Option(help: ArgumentHelp("The type of a column; may be repeated.", valueName: "TABLE.COLUMN=TYPE"))
  var type: [ImportAssignment] = []

  @OptionGroup var choices: ImportArguments

  func validate() throws {
    for assignment in type where AttributeType(rawValue: assignment.value) == nil {
      let types = AttributeType.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("“\(assignment.value)” is not a type; give one of \(types).")
    }
  }

  func run() throws {
    var options = SQLiteOptions()
    options.inverses = inverses
    for assignment in type { options.types[assignment.key] = AttributeType(rawValue: assignment.value) }
    let source = try SQLiteSource(path: file, options: options)
    var job = ImportJob(.sqlite, [source], into: arguments.store, target: source.lookup)
    job.fileNames = FileNames(source.fileNames)
    job.options = choices.options
    try choices.run(job)
  }
}

#elseif Command

import ArgumentParser

/// Reports how to build the command, whatever its arguments are.
struct ImportSQLiteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sqlite", abstract: "Import the tables of a SQLite file. This build cannot.")

  @Argument(parsing: .allUnrecognized, help: .hidden) var arguments: [String] = []

  func run() throws { throw MissingTrait(name: "Import", feature: "the import of other programs' files") }
}

#endif
