#if Command

import ArgumentParser
import Daybook

struct CountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Print how many objects of an entity there are, or match a filter; or how many groups.",
    discussion: """
      daybook count STORE Recipe --where 'servings >= 4'
      daybook count STORE Recipe --group type.name --having 'count > 3'
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The entity.")
  var entity: String

  @OptionGroup var match: FilterOption

  @OptionGroup var past: PastOption

  @OptionGroup var output: JSONOption

  func run() throws {
    let request = try match.request(for: entity)
    try arguments.withStore { store in
      try past.read(entity, in: store) { reader in
        let count = try reader.count(request)
        guard output.json else { return try Console.standard.print("\(count)") }
        try Console.standard.print(["position": reader.position.json, "count": .integer(Int64(count))])
      }
    }
  }
}

#endif
