#if Command

import ArgumentParser
import Daybook

/// The options of commands that show the differences of a tree instead of a request's.
struct TreeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Follow the tree of this relationship of an entity to itself: its children, or its parent.",
      valueName: "relationship"))
  var tree: String?

  @Option(
    help: ArgumentHelp("With --tree: the object at the top; if it is left out, all without a parent.", valueName: "id"))
  var root: ObjectIDArgument?

  @Option(
    help: ArgumentHelp(
      "With --tree: how many levels below the top to follow; all if it is left out.", valueName: "levels"))
  var depth: Int?

  func validate() throws {
    if tree == nil, root != nil || depth != nil { throw ValidationError("--root and --depth need --tree.") }
    if let depth, depth < 0 { throw ValidationError("--depth takes a number from 0.") }
  }

  /// Checks that a command was given either an entity, or a tree without options of requests.
  func check(_ entity: String?, _ options: RequestOptions) throws {
    if tree == nil, entity == nil { throw ValidationError("Name an entity, or a relationship with --tree.") }
    if tree != nil, !options.isEmpty {
      throw ValidationError("A tree takes no filter, groups, sort keys, section, shown paths or limit.")
    }
  }

  /// Returns the name of the relationship with its entity, if the command names it.
  func relationship(of entity: String?) -> String? {
    tree.map { tree in entity.map { tree.contains(".") ? tree : "\($0).\(tree)" } ?? tree }
  }
}

#endif
