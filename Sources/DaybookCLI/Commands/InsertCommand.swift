#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct InsertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert", abstract: "Insert an object, and print its ID.",
    discussion: """
      daybook insert STORE Recipe name=Cake servings=4 type=26f8ad91

      A relationship takes the ID of an object or a unique part of it; a to-many relationship several, separated by \
      commas or by naming it again.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The entity.")
  var entity: String

  @Argument(help: ArgumentHelp("Attributes and relationships.", valueName: "name=value"))
  var assignments: [Assignment] = []

  @Option(help: ArgumentHelp("The object's ID; without it, one is made.", valueName: "uuid"))
  var id: UUIDArgument?

  @OptionGroup var write: WriteArguments

  func run() throws {
    try write.insert(into: arguments) { transaction in
      let entity = try transaction.requireEntity(named: self.entity)
      let isLink = { (assignment: Assignment) in entity.relationship(named: assignment.name) != nil }
      let values = try assignments.filter { !isLink($0) }.values(of: entity)
      let links = try assignments.filter(isLink).links(of: entity)
      let id = try transaction.insert(entity.name, values, id: id?.id)
      for (relationship, parts) in links {
        for part in parts { try transaction.relate(id, relationship, to: transaction.resolve(part)) }
      }
      return id
    }
  }
}

/// A whole UUID.
struct UUIDArgument: ExpressibleByArgument {
  let id: ObjectID

  init?(argument: String) {
    guard let id = ObjectID(argument) else { return nil }
    self.id = id
  }
}

#endif
