#if Command && Import

import ArgumentParser
import Daybook
import DaybookImport

struct ImportJSONCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "json", abstract: "Import JSON objects.",
    discussion: """
      The file is an array of objects, or has an object on each line. Types follow from all values. Nested objects and \
      lists are values of their own; with --nested they become objects, which are deleted with the one around them.

      With --key an object of the file changes the object with the key's values, or inserts one. Without it each is \
      inserted, into an entity without objects. A store that is missing is created.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Flag(help: "Make nested objects objects of entities of their own.")
  var nested = false

  @OptionGroup var choices: TableArguments

  func run() throws {
    let (file, entity, types, nested) = (file, choices.entityName(of: file), choices.types, nested)
    let job = TableJob(.json, into: arguments.store, entity: entity) { declared in
      try JSONTable(path: file, entity: entity, types: types, declared: declared, nested: nested)
    }
    try choices.run(job)
  }
}

#elseif Command

import ArgumentParser

/// Reports how to build the command, whatever its arguments are.
struct ImportJSONCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "json", abstract: "Import JSON objects. This build cannot.")

  @Argument(parsing: .allUnrecognized, help: .hidden) var arguments: [String] = []

  func run() throws { throw MissingTrait(name: "Import", feature: "the import of other programs' files") }
}

#endif
