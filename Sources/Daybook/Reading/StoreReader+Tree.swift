import DaybookModel

/// The tree of a store: what its cascading to-many relationships lead to.
///
/// At the top are the objects that are nobody's child; entities that take part in no such relationship are left out. An
/// object may have several parents.
///
/// Objects that are below each other in a circle are below no top, and nothing that is only below them is. They come after
/// the tops: the first of a circle, by its name, stands at the top and has ``TreeNode/isInCircle``, the others are below
/// it, and where it is met again below itself it is marked again and not walked.
extension StoreReader {
  /// Walks the tree, each object before its children; siblings by the bytes of their names and then by id, or in the
  /// order of their relationship if it has one.
  ///
  ///     try reader.forEachTreeNode { node in
  ///       print(String(repeating: "  ", count: node.depth) + node.name)
  ///     }
  ///
  /// An object with several parents is met below each, and its children are walked the first time only.
  ///
  /// - Parameters:
  ///   - root: The object to begin with; nil for all that are nobody's child, and then the circles.
  ///   - attributes: The attributes whose values the nodes show.
  ///   - body: Is given each node, parents before their children.
  /// - Throws: `StoreError`: `notFound` if there is no such object, `badRequest` if no entity has such an attribute.
  /// - Complexity: O(*n* log *n*) for *n* objects; how deep the tree is does not matter.
  public func forEachTreeNode(
    from root: ObjectID? = nil, showing attributes: [String] = [], _ body: (TreeNode) throws -> Void
  ) throws {
    var walk = try TreeWalk(reader, showing: attributes, repetition: .shown, isSorted: true)
    try walk.run(from: root, body)
  }

  /// The leaves of the tree with their paths, sorted by the paths' bytes.
  ///
  /// An object whose entity has relationships to children is never a leaf. One with several parents has several paths. The
  /// path of a leaf below a circle begins with the first object of the circle and goes round it at most once.
  ///
  /// - Parameters:
  ///   - root: The object to begin with; nil for all that are nobody's child.
  ///   - attributes: The attributes whose values come with the leaves.
  ///   - decode: The bytes that a name stands for; its UTF-8 if nothing else is said.
  /// - Throws: `StoreError`: `notFound`, `badRequest`, `tooLarge` if objects that share children have too many paths.
  /// - Complexity: O(*n* log *n*) for *n* objects.
  public func treePaths(
    from root: ObjectID? = nil, showing attributes: [String] = [],
    decodingNames decode: (String) -> [UInt8] = { Array($0.utf8) }
  ) throws -> TreePaths {
    try reader.treePaths(from: root, showing: attributes, decodingNames: decode)
  }
}

extension Transaction {
  /// The leaves of the tree as this write leaves it; see ``StoreReader/treePaths(from:showing:decodingNames:)``.
  public func treePaths(
    from root: ObjectID? = nil, showing attributes: [String] = [],
    decodingNames decode: (String) -> [UInt8] = { Array($0.utf8) }
  ) throws -> TreePaths {
    try builder.fold.settle()
    return try builder.reader.treePaths(from: root, showing: attributes, decodingNames: decode)
  }
}

extension Reader {
  func treePaths(
    from root: ObjectID?, showing attributes: [String], decodingNames decode: (String) -> [UInt8]
  ) throws -> TreePaths {
    var walk = try TreeWalk(self, showing: attributes, repetition: .walked, isSorted: false)
    return try TreePaths(&walk, from: root, decoding: decode)
  }
}
