import DaybookModel

/// The tree of a relationship in one state of a store, of which only the needed parts are read.
///
/// Everything that was read is kept, so each object and each list of children is read once.
package final class TreeState {
  /// Reads the state; `nil` for the empty state before the model.
  package let reader: Reader?
  package let tree: TreeRelationship
  /// The object at the top; `nil` if all objects without a parent are at the top.
  let root: ObjectID?
  /// The number of levels below the top that belong to the tree.
  let depth: Int

  private var nodes: [ObjectID: Node?] = [:]
  private var levels: [ObjectID: Int] = [:]
  private var lists: [ObjectID?: [SiblingKey]] = [:]

  /// The parent of an object and its place below it.
  private struct Node {
    let parent: ObjectID?
    let key: SiblingKey
  }

  /// The level of objects that are not in the tree.
  private static let outside = Int.max

  /// - Parameters:
  ///   - reader: Reads the state; `nil` for the empty state before the model.
  ///   - tree: The relationship, by the numbers of the reader's model.
  ///   - root: The object at the top; `nil` for all objects without a parent.
  ///   - depth: The number of levels below the top; `nil` for all.
  package init(_ reader: Reader?, _ tree: TreeRelationship, root: ObjectID?, depth: Int?) {
    (self.reader, self.tree, self.root) = (reader, tree, root)
    self.depth = depth ?? Self.outside - 1
  }

  /// Whether an object is in the tree, not below the levels that belong to it.
  func contains(_ id: ObjectID) throws -> Bool { try level(of: id) <= depth }

  /// Returns the number of nodes above an object, or a number that is greater than each depth if it is in no tree.
  ///
  /// An object in a cycle is in a tree only if the cycle's root is the tree's.
  func level(of id: ObjectID) throws -> Int {
    var chain: [ObjectID] = []
    var seen = Set<ObjectID>()
    var next: ObjectID? = id
    // The level of the object above the chain; the top is below level -1.
    var above = Self.outside
    while let present = next {
      if let known = levels[present] {
        above = known
        break
      }
      guard let node = try node(present), seen.insert(present).inserted else { break }
      chain.append(present)
      if present == root || root == nil && node.parent == nil {
        above = -1
        break
      }
      next = node.parent
    }
    for present in chain.reversed() {
      if above != Self.outside { above += 1 }
      levels[present] = above
    }
    return chain.isEmpty ? above : levels[id] ?? Self.outside
  }

  /// Returns the node above an object; `nil` for an object at the top.
  func parent(of id: ObjectID) throws -> ObjectID? { id == root ? nil : try node(id)?.parent }

  /// Returns the parent of an object, whether or not it is in the tree.
  func above(_ id: ObjectID) throws -> ObjectID? { try node(id)?.parent }

  /// Returns the place of an object below its parent, or `nil` if it does not exist.
  func key(of id: ObjectID) throws -> SiblingKey? { try node(id)?.key }

  /// Returns the path of an object of the tree: its index at each level.
  ///
  /// - Complexity: O(*d* (*s* + log *n*)) for *d* levels with *s* siblings that were not read yet.
  func path(of id: ObjectID) throws -> [Int] {
    var path: [Int] = []
    var next: ObjectID? = id
    while let present = next, let key = try key(of: present) {
      next = try parent(of: present)
      path.append(try list(below: next).rank(of: key))
    }
    return path.reversed()
  }

  /// Returns the nodes below a node, or at the top, in order.
  package func list(below parent: ObjectID?) throws -> [SiblingKey] {
    if let list = lists[parent] { return list }
    let list = try readList(below: parent)
    lists[parent] = list
    return list
  }

  /// Returns the number of children of a node on the last level, which are not in the tree; `nil` for other objects.
  ///
  /// - Complexity: O(*s* log *n*) for *s* children that were not read yet.
  package func hiddenChildCount(of id: ObjectID) throws -> Int? {
    try level(of: id) == depth ? list(below: id).count : nil
  }

  /// The list if it was read or given before.
  package func knownList(below parent: ObjectID?) -> [SiblingKey]? { lists[parent] }

  package func setList(below parent: ObjectID?, to list: [SiblingKey]) { lists[parent] = list }

  private func readList(below parent: ObjectID?) throws -> [SiblingKey] {
    guard let reader else { return [] }
    guard let parent else { return try readTop(reader) }
    let tag = reader.model[tree.children].tag
    if tree.isOrdered {
      return try reader.orderedLinks(tag, from: parent).filter { $0.target != root }
        .map { SiblingKey(bytes: $0.key, id: $0.target) }
    }
    return try reader.linkTargets(tag, from: parent).filter { $0 != root }.compactMap { try node($0)?.key }.sorted()
  }

  private func readTop(_ reader: Reader) throws -> [SiblingKey] {
    if let root { return try node(root).map { [$0.key] } ?? [] }
    var keys: [SiblingKey] = []
    try reader.forEachObject(of: tree.entity) { id, record in
      if try FieldReader.field(tree.parentTag, in: record.fields) == nil {
        keys.append(try nameKey(id, record, reader))
      }
      return true
    }
    return keys.sorted()
  }

  private func node(_ id: ObjectID) throws -> Node? {
    if let known = nodes[id] { return known }
    let node = try readNode(id)
    nodes[id] = .some(node)
    return node
  }

  private func readNode(_ id: ObjectID) throws -> Node? {
    guard let reader, let bytes = try unsafe reader.unsafeRecord(of: ObjectKey(entity: tree.entity, id: id)) else {
      return nil
    }
    let record = try RecordView(bytes)
    guard !record.isTombstone else { return nil }
    guard let field = try FieldReader.field(tree.parentTag, in: record.fields) else {
      return Node(parent: nil, key: try nameKey(id, record, reader))
    }
    let key =
      tree.isOrdered
      ? SiblingKey(bytes: [UInt8](try field.orderKey()), id: id) : try nameKey(id, record, reader)
    return Node(parent: try field.target(), key: key)
  }

  private func nameKey(_ id: ObjectID, _ record: RecordView, _ reader: Reader) throws -> SiblingKey {
    var bytes: [UInt8] = []
    if let name = tree.nameAttribute {
      let attribute = reader.model.entities[tree.entity].attributes[name]
      try record.appendSortKey(attribute, order: attribute.order, to: &bytes)
    }
    return SiblingKey(bytes: bytes, id: id)
  }
}
