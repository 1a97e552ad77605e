#if Command && Import

import ArgumentParser
import Daybook
import DaybookImport

struct ImportCoreDataCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coredata", abstract: "Import the objects and the model of a Core Data application.",
    discussion: """
      The files are not changed. Without --model, the model is the one that the store file carries; without --store, the \
      model alone is imported. An older version of the model is read straight into the current one.

      A store that is missing is created as a whole. One that exists gets what the application has changed since the \
      last import, in one commit; without a change there is none. The report says what became of each part of the model, \
      and of the rows that do not fit it.
      """)

  @OptionGroup var arguments: StoreArguments

  @Option(
    help: ArgumentHelp("The model: an .xcdatamodeld, an .xcdatamodel or its file `contents`.", valueName: "path"),
    completion: .file())
  var model: String?

  @Option(
    name: .customLong("store"),
    help: ArgumentHelp(
      "A store file of the application; may be repeated, one for each configuration.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "The version of the model that wrote the files; the one that fits, otherwise.", valueName: "name"))
  var version: String?

  @Option(help: ArgumentHelp("Import this entity; may be repeated. All, otherwise.", valueName: "entity"))
  var only: [String] = []

  @OptionGroup var choices: ImportArguments

  func validate() throws {
    if model == nil, files.isEmpty { throw ValidationError("Give a model with --model, a file with --store, or both.") }
  }

  func run() throws {
    let source = try CoreDataImport(stores: files, model: model, version: version)
    var job = ImportJob(.coreData, source.objects, into: arguments.store, target: source.target)
    job.version = source.storeVersion ?? source.target.model.name
    job.notes = source.notes
    job.options = choices.options
    job.options.translation.only = Set(only)
    try choices.run(job)
  }
}

#elseif Command

import ArgumentParser

/// Reports how to build the command, whatever its arguments are.
struct ImportCoreDataCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coredata", abstract: "Import a Core Data application's objects. This build cannot.")

  @Argument(parsing: .allUnrecognized, help: .hidden) var arguments: [String] = []

  func run() throws { throw MissingTrait(name: "Import", feature: "the import of other programs' files") }
}

#endif
