#if Command && Import

import ArgumentParser
import Daybook
import DaybookImport

struct ImportCSVCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "csv", abstract: "Import the rows of a CSV file.",
    discussion: """
      The first line names the columns. Types follow from all cells: integer, double, boolean, date, UUID, else string; \
      numbers with leading zeros stay text, and an empty cell is no value. In an entity that the store has, its types \
      count.

      With --key a row changes the object with the key's values, or inserts one; the same file twice writes nothing the \
      second time. Without it each row is inserted, into an entity without objects. A store that is missing is created.

      A row with another number of cells, invalid bytes and a cell that does not fit end the command with line and \
      column, and nothing is written.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("The character between cells: a comma; in .tsv a tab.", valueName: "character"))
  var delimiter: String?

  @Option(help: ArgumentHelp("The encoding, in place of UTF-8 or that of the byte order mark.", valueName: "name"))
  var encoding: String?

  @OptionGroup var choices: TableArguments

  func run() throws {
    var format = try delimiter.map { try CSVFormat(delimiter: $0) } ?? .usual(for: file)
    if let encoding { format.encoding = try TextEncoding(named: encoding) }
    let (file, entity, types) = (file, choices.entityName(of: file), choices.types)
    let job = TableJob(.csv, into: arguments.store, entity: entity) { [format] declared in
      try CSVTable(path: file, format: format, types: types, declared: declared).rows(of: entity)
    }
    try choices.run(job)
  }
}

#elseif Command

import ArgumentParser

/// Reports how to build the command, whatever its arguments are.
struct ImportCSVCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "csv", abstract: "Import the rows of a CSV file. This build cannot.")

  @Argument(parsing: .allUnrecognized, help: .hidden) var arguments: [String] = []

  func run() throws { throw MissingTrait(name: "Import", feature: "the import of other programs' files") }
}

#endif
