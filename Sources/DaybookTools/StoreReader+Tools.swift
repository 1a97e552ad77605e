import Daybook
import DaybookModel

extension StoreReader {
  /// Returns the object that a text names: a whole UUID, or any unique part of one.
  ///
  ///     let cake = try store.read { try $0.resolve("26f8ad91") }
  ///
  /// A part is searched in the printed form of the identities; if none contains it, in their hexadecimal digits without
  /// dashes. A whole UUID is returned unchanged, whether or not the object exists. Derived objects are searched only if no
  /// stored one has the part.
  ///
  /// - Parameters:
  ///   - part: The text, in either case.
  ///   - includesDeleted: Whether deleted objects are included.
  /// - Throws: `StoreError`: `notFound` if no identity has the part, `ambiguous` with the candidates if several do.
  /// - Complexity: O(1) for a whole UUID, else O(*n*) for *n* objects.
  package func resolve(_ part: String, includesDeleted: Bool = false) throws -> ObjectID {
    if let id = ObjectID(part) { return id }
    var search = try IdentitySearch(part)
    try reader.search(&search, includesDeleted: includesDeleted)
    if search.isEmpty { try searchRows(&search, includesDeleted: includesDeleted) }
    return try search.result()
  }

  /// Calls a closure with the identity of which a text is a part, among the objects of an earlier position, and with a
  /// reader of that object.
  ///
  /// - Throws: What `body` throws, and the errors of ``resolve(_:includesDeleted:)``; `StoreError` with the code `notFound`
  ///   as ``read(at:_:)``.
  package func read<Result>(
    objectWithPart part: String, at position: Position, _ body: (ObjectID, borrowing StoreReader) throws -> Result
  ) throws -> Result {
    if let id = ObjectID(part) { return try read(objectWith: id, at: position) { try body(id, $0) } }
    return try read(at: position) { past in
      let id = try past.resolve(part)
      return try past.reading(objectWith: id) { try body(id, $0) }
    }
  }

  /// Searches the identities of derived objects for a text.
  func searchRows(_ search: inout IdentitySearch, includesDeleted: Bool) throws {
    try forEachRows { try $0.reader.search(&search, of: $1, includesDeleted: includesDeleted) }
  }
}

extension StoreReader {
  /// Returns the state hash: SHA-256 over all objects by id with entity, values and links.
  ///
  /// Derived values are not hashed. Two stores with equal state hashes contain the same objects, whatever their
  /// history.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  /// - Complexity: O(*n*) for *n* objects and links; about a million objects a second.
  package func stateHash() throws -> Digest {
    var hasher = try StateHasher(reader)
    return try hasher.run().hash
  }
}

/// The tree of a store, formed by its cascading to-many relationships.
///
/// At the top are the objects without parents; entities without such relationships are left out. An object may have
/// several parents.
///
/// Objects in a cycle are below no top, unless they have several parents. They follow the tops: the first object of a
/// cycle, by its name, is at the top and the others are below it, each once; all of them have ``TreeNode/isInCycle``.
extension StoreReader {
  /// Walks the tree, each object before its children.
  ///
  /// Siblings are in the order of their relationship if it is ordered, else sorted by the bytes of their names and then
  /// by id.
  ///
  ///     try reader.forEachTreeNode { node in
  ///       print(String(repeating: "  ", count: node.depth) + node.name)
  ///     }
  ///
  /// An object with several parents is visited below each of them, but its children only the first time.
  ///
  /// - Parameters:
  ///   - root: The object to begin with; `nil` for all objects without parents, and then the cycles.
  ///   - attributes: The attributes whose values the nodes contain.
  ///   - body: Called for each node, parents before their children.
  /// - Throws: `StoreError`: `notFound` if the object does not exist, `badRequest` if no entity has one of the
  ///   attributes.
  /// - Complexity: O(*n* log *n*) for *n* objects, independent of the depth of the tree.
  package func forEachTreeNode(
    from root: ObjectID? = nil, showing attributes: [String] = [], _ body: (TreeNode) throws -> Void
  ) throws {
    var walk = try TreeWalk(reader, showing: attributes, repetition: .shown, isSorted: true)
    try walk.run(from: root, body)
  }

  /// Returns the children of an object, or the objects without parents, with some levels below them.
  ///
  /// Siblings are ordered as in ``forEachTreeNode(from:showing:_:)``. Objects of a cycle to which no object without
  /// parents leads are found only by their ids.
  ///
  /// - Parameters:
  ///   - root: The object; `nil` for the objects without parents.
  ///   - depth: The number of levels, at least 1.
  ///   - limit: The most nodes.
  /// - Throws: `StoreError`: `notFound` if the object does not exist, `tooLarge` if there are more nodes.
  package func treeLevels(below root: ObjectID?, depth: Int, atMost limit: Int) throws -> [ObjectBranch] {
    let walk = try TreeWalk(reader, showing: [], repetition: .shown, isSorted: true)
    var remaining = limit
    return try walk.levels(below: root, depth: depth, atMost: &remaining)
  }

  /// Returns the leaves of the tree with their paths, sorted by the paths' bytes.
  ///
  /// An object whose entity has relationships to children is never a leaf. An object with several parents has several
  /// paths. The path of a leaf below a cycle begins with the first object of the cycle and follows the cycle at most
  /// once.
  ///
  /// - Parameters:
  ///   - root: The object to begin with; `nil` for all objects without parents.
  ///   - attributes: The attributes whose values are returned with the leaves.
  ///   - decode: Returns the bytes that a name stands for; its UTF-8 by default.
  /// - Throws: `StoreError`: `notFound`, `badRequest`, `tooLarge` if objects that share children have too many paths.
  /// - Complexity: O(*n* log *n*) for *n* objects.
  package func treePaths(
    from root: ObjectID? = nil, showing attributes: [String] = [],
    decodingNames decode: (String) -> [UInt8] = { Array($0.utf8) }
  ) throws -> TreePaths {
    try TreePaths(in: reader, from: root, showing: attributes, decodingNames: decode)
  }
}
