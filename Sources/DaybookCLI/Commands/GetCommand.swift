#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Show an object with its values and links.")

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The ID of the object, or a unique part of it.")
  var id: ObjectIDArgument

  @OptionGroup var past: PastOption

  @OptionGroup var output: JSONOption

  func run() throws {
    try arguments.withStore { store in
      try past.read(id, in: store) { id, reader in
        guard let object = try reader.get(id) else {
          throw StoreError(
            .notFound, "There is no object \(id).", advice: .readHistory)
        }
        try show(object, reader)
      }
    }
  }

  private func show(_ object: StoredObject, _ reader: borrowing StoreReader) throws {
    if output.json {
      var encoder = ObjectEncoder(reader.resolvedModel)
      return try Console.standard.print(.object(encoder.members(of: object, in: reader)))
    }
    var labels = ObjectLabels(reader.resolvedModel)
    var table = TextTable(["", ""])
    table.add(["id", object.id.description])
    table.add(["entity", object.entity])
    table.add(["createdAt", object.createdAt.description])
    table.add(["changedAt", object.changedAt.description])
    for (name, text) in labels.values(of: object) { table.add([name, text]) }
    for relationship in reader.resolvedModel.relationships(of: object.entity) {
      let targets = try reader.targets(of: object.id, relationship.name)
      let shown = try targets.map { try labels.label(of: $0, reader) }
      table.add([relationship.name, shown.joined(separator: ", ")])
    }
    try table.print(to: .standard)
  }
}

private extension ResolvedModel {
  /// Returns the current relationships of an entity.
  func relationships(of entity: String) -> [ResolvedRelationship] {
    self.entity(named: entity).map { entities[$0].relationships.filter(\.isDeclared) } ?? []
  }
}

#endif
