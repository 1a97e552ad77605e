import Daybook
import DaybookEngine
import DaybookModel

/// Walks a tree of objects from the top down, each object before its children.
///
/// It is a loop with a list of frames instead of a recursion, because the data determines the depth of the tree.
struct TreeWalk {
  /// How an object is treated that is visited again below another parent.
  enum Repetition {
    /// The object is visited, but not its children.
    case shown
    /// The object is visited with everything below it, unless it is below itself.
    case walked
  }

  /// The most objects that are walked again.
  ///
  /// The number of paths of objects that share children repeatedly can grow exponentially.
  static let maximumRepetitionCount = 1_000_000

  let reader: Reader
  let shape: TreeSchema
  private let repetition: Repetition
  private let isSorted: Bool
  /// For each entity the values to show; `nil` for attributes that it lacks.
  private let shows: [[Shown?]]

  private var frames: [Frame] = []
  /// The objects with children that were visited.
  private var met = Set<ObjectID>()
  /// The visited objects that are above the present one.
  private var above = Set<ObjectID>()
  private var repetitionCount = 0
  /// Finds the cycles below the present tops; `nil` where there can be none.
  private var cycles: CycleFinder?
  /// The visited nodes below the present top, if cycles may be below it: a cycle is known only at its end.
  private var visited: [TreeNode] = []

  private struct Frame {
    /// The object whose children these are; `nil` for objects at the top.
    let parent: ObjectID?
    /// The remaining children, the next one last.
    var children: [Child]
  }

  /// A part of an object that is shown as text.
  private enum Shown {
    case attribute(ResolvedAttribute)
    case id
    case createdAt
    case changedAt

    init?(_ name: String, of entity: ResolvedEntity) {
      switch name {
      case "id": self = .id
      case "createdAt": self = .createdAt
      case "changedAt": self = .changedAt
      default:
        guard let number = entity.attribute(named: name) else { return nil }
        self = .attribute(entity.attributes[number])
      }
    }

    func text(of id: ObjectID, _ record: RecordView) throws -> String {
      switch self {
      case .attribute(let attribute): try record.text(of: attribute)
      case .id: id.description
      case .createdAt: record.stamps.createdAt.description
      case .changedAt: record.stamps.changedAt.description
      }
    }
  }

  private struct Child {
    let key: ObjectKey
    let name: String
    let shown: [String]
  }

  /// - Parameters:
  ///   - names: The attributes to show; also `id`, `createdAt` and `changedAt`.
  ///   - isSorted: Whether siblings are sorted by their names' bytes; otherwise their order is merely deterministic.
  /// - Throws: `StoreError` with the code `badRequest` if no entity has one of the attributes.
  init(_ reader: Reader, showing names: [String], repetition: Repetition, isSorted: Bool) throws {
    self.reader = reader
    self.repetition = repetition
    self.isSorted = isSorted
    let shape = TreeSchema(reader.model)
    self.shape = shape
    shows = reader.model.entities.map { entity in
      names.map { Shown($0, of: entity) }
    }
    for (index, name) in names.enumerated() {
      let isKnown = reader.model.entities.contains { !$0.isRetired && shows[$0.index][index] != nil }
      guard isKnown else {
        throw StoreError(
          .badRequest, "No entity has an attribute “\(name)” to show.", advice: "Look at `daybook model`.")
      }
    }
  }

  /// Walks all objects without parents, or one object, with everything below them.
  ///
  /// Objects in a cycle are below no top, like all objects that are only below them. They follow, from the first
  /// object of each cycle that is below no other cycle.
  ///
  /// - Throws: `StoreError`: `notFound` if the object does not exist, `tooLarge` if too many objects are repeated; any
  ///   error of `body`.
  /// - Complexity: O(*n* log *n*) for *n* objects.
  mutating func run(from root: ObjectID?, _ body: (TreeNode) throws -> Void) throws {
    // Below a top without parents there are cycles only if an object may have several parents.
    if repetition == .shown, root != nil || shape.mayShareChildren(in: reader.model) { cycles = CycleFinder() }
    try walk(try top(root), body)
    guard root == nil else { return }
    if repetition == .shown, cycles == nil { cycles = CycleFinder() }
    try walk(try cycleTops(), body)
  }

  private mutating func walk(_ tops: [Child], _ body: (TreeNode) throws -> Void) throws {
    frames = [Frame(parent: nil, children: tops)]
    while let last = frames.indices.last {
      guard let child = frames[last].children.popLast() else {
        if let parent = frames.removeLast().parent {
          above.remove(parent)
          cycles?.leave(parent, below: frames.last?.parent)
        }
        continue
      }
      // All objects below the last top are visited.
      if last == 0 { try passOn(body) }
      try visit(child, isLast: frames[last].children.isEmpty, body)
    }
    try passOn(body)
  }

  /// Passes on the nodes that were kept until their cycles were known.
  private mutating func passOn(_ body: (TreeNode) throws -> Void) throws {
    guard let cycles else { return }
    for var node in visited {
      node.isInCycle = cycles.members.contains(node.id)
      try body(node)
    }
    visited.removeAll(keepingCapacity: true)
  }

  private mutating func visit(_ child: Child, isLast: Bool, _ body: (TreeNode) throws -> Void) throws {
    let isBranch = shape.isBranch(child.key.entity)
    let isRepeated = isBranch && !met.insert(child.key.id).inserted
    if isRepeated, repetition == .walked { try countRepetition(of: child) }
    if isRepeated, let parent = frames.last?.parent { cycles?.note(parent, leadsTo: child.key.id) }
    let node =
      TreeNode(
        id: child.key.id, entity: reader.model.entities[child.key.entity].name, name: child.name,
        depth: frames.count - 1, isLast: isLast, isBranch: isBranch, isRepeated: isRepeated,
        isInCycle: false, shown: child.shown)
    if cycles == nil { try body(node) } else { visited.append(node) }
    guard isBranch, !isRepeated || repetition == .walked else { return }
    above.insert(child.key.id)
    cycles?.enter(child.key.id)
    var children = try children(of: child.key)
    // An object is not shown below itself.
    for back in children where above.contains(back.key.id) { cycles?.note(child.key.id, leadsTo: back.key.id) }
    children.removeAll { above.contains($0.key.id) }
    frames.append(Frame(parent: child.key.id, children: children))
  }

  private mutating func countRepetition(of child: Child) throws {
    repetitionCount += 1
    guard repetitionCount <= Self.maximumRepetitionCount else {
      throw StoreError(
        .tooLarge,
        "Objects such as \(child.key.id) have so many parents that more than \(Self.maximumRepetitionCount) are repeated.",
        advice: "Look at the tree of one object.")
    }
  }
}

// MARK: - Objects

extension TreeWalk {
  private func top(_ root: ObjectID?) throws -> [Child] {
    guard let root else { return ordered(try roots()) }
    guard let key = try reader.find(root), let child = try child(key) else {
      throw StoreError(
        .notFound, "There is no object \(root).", advice: .readHistory)
    }
    return [child]
  }

  /// Returns the children of an object, or the objects without parents, with the levels below them.
  ///
  /// - Parameters:
  ///   - depth: The number of levels.
  ///   - remaining: The most nodes; what is left of it afterwards.
  /// - Throws: `StoreError`: `notFound` if the object does not exist, `tooLarge` if there are more nodes.
  /// - Complexity: O(*n* log *n*) for *n* nodes; without an object also for the objects that may be at the top.
  func levels(below root: ObjectID?, depth: Int, atMost remaining: inout Int) throws -> [ObjectBranch] {
    guard let root else { return try branches(of: ordered(roots()), depth: depth, &remaining) }
    guard let key = try reader.find(root) else {
      throw StoreError(.notFound, "There is no object \(root).", advice: .readHistory)
    }
    return try branches(of: children(of: key), depth: depth, &remaining)
  }

  /// - Parameter children: The siblings, the first one last.
  private func branches(of children: [Child], depth: Int, _ remaining: inout Int) throws -> [ObjectBranch] {
    try children.reversed().map { child in
      guard remaining > 0 else {
        throw StoreError(.tooLarge, "The tree has too many nodes.", advice: "Ask for fewer levels, or for one object.")
      }
      remaining -= 1
      let below = shape.isBranch(child.key.entity) ? try self.children(of: child.key) : []
      return ObjectBranch(
        id: child.key.id, entity: reader.model.entities[child.key.entity].name, name: child.name,
        childCount: below.count, children: depth > 1 ? try branches(of: below, depth: depth - 1, &remaining) : nil)
    }
  }

  /// Returns the objects without parents.
  private func roots() throws -> [Child] {
    var roots: [Child] = []
    for entity in reader.model.entities where !entity.isRetired && shape.takesPart(entity.index) {
      let parents = shape.parents[entity.index]
      // Objects with a required parent need not be read.
      if parents.contains(where: { !reader.model[$0].isMany && !reader.model[$0].isOptional }) { continue }
      try reader.forEachObject(of: entity.index) { id, record in
        // The objects of descendants are met with these.
        guard try isOwn(record, entity) else { return true }
        guard try parents.allSatisfy({ try reader.targets(of: $0, from: id).isEmpty }) else { return true }
        if let child = try child(ObjectKey(entity: entity.index, id: id)) { roots.append(child) }
        return true
      }
    }
    return roots
  }

  private func children(of key: ObjectKey) throws -> [Child] {
    let references = shape.children[key.entity]
    guard isSorted, references.contains(where: { reader.model[$0].isOrdered }) else {
      return ordered(withoutRepetitions(try references.flatMap { try children(of: key, over: $0) }))
    }
    // The order of a relationship is kept, so its children are not mixed with the children of another relationship.
    let groups = try references.map { reference in
      let group = try children(of: key, over: reference)
      return reader.model[reference].isOrdered ? group : ordered(group).reversed()
    }
    return withoutRepetitions(groups.flatMap { $0 }).reversed()
  }

  private func children(of key: ObjectKey, over reference: RelationshipReference) throws -> [Child] {
    let target = reader.model[reference].target
    return try reader.targets(of: reference, from: key.id).compactMap { id in
      try child(ObjectKey(entity: target, id: id))
    }
  }

  /// Removes duplicates, as two relationships may lead to one child.
  private func withoutRepetitions(_ children: [Child]) -> [Child] {
    var ids = Set<ObjectID>(minimumCapacity: children.count)
    return children.filter { ids.insert($0.key.id).inserted }
  }

  private func child(_ key: ObjectKey) throws -> Child? {
    guard let bytes = try reader.unsafeRecord(of: key) else { return nil }
    let record = try RecordView(bytes)
    guard !record.isTombstone else { return nil }
    let key = ObjectKey(entity: try reader.model.entity(of: record, in: key.entity), id: key.id)
    let entity = reader.model.entities[key.entity]
    let name = try entity.nameAttribute.map { try record.text(of: entity.attributes[$0]) } ?? ""
    let shown = try shows[key.entity].map { try $0?.text(of: key.id, record) ?? "" }
    return Child(key: key, name: name, shown: shown)
  }

  /// Returns whether a record is of an object of an entity itself.
  private func isOwn(_ record: RecordView, _ entity: ResolvedEntity) throws -> Bool {
    try !entity.hasRelatives || reader.model.entity(of: record, in: entity.index) == entity.index
  }

  /// Returns the key of an object with its own entity.
  private func concrete(_ key: ObjectKey) throws -> ObjectKey {
    guard reader.model.entities[key.entity].hasRelatives, let bytes = try reader.unsafeRecord(of: key) else {
      return key
    }
    return ObjectKey(entity: try reader.model.entity(of: RecordView(bytes), in: key.entity), id: key.id)
  }

  /// Sorts siblings, the first one last.
  private func ordered(_ children: [Child]) -> [Child] {
    guard isSorted else { return children.reversed() }
    return children.sorted { a, b in
      let order = compareBytes(a.name, b.name)
      return order != 0 ? order > 0 : a.key.id > b.key.id
    }
  }

  /// Returns the top object of each cycle that neither a top nor another cycle leads to.
  ///
  /// They are in the order of siblings. Each object that was not visited has a parent that was not visited either, so
  /// the chain of parents always ends in a cycle. Among the starts of the first search, the ones that no later start
  /// reaches are one object of each cycle at the top: its first object, because a search from there reaches all others
  /// of the cycle.
  ///
  /// - Complexity: O(*n* log *n*) for *n* objects in and below cycles.
  private func cycleTops() throws -> [Child] {
    var unmet: [Child] = []
    for entity in reader.model.entities
    where !entity.isRetired && shape.mayHaveCycles(entity.index, in: reader.model) {
      try reader.forEachObject(of: entity.index) { id, record in
        guard try isOwn(record, entity) else { return true }
        guard !met.contains(id) else { return true }
        if let child = try child(ObjectKey(entity: entity.index, id: id)) { unmet.append(child) }
        return true
      }
    }
    return try starts(among: try starts(among: ordered(unmet)))
  }

  /// Returns the objects that no search from a preceding object reaches, in search order.
  ///
  /// - Parameter children: The objects; the last one is the first start.
  private func starts(among children: [Child]) throws -> [Child] {
    var reached = Set<ObjectID>()
    return try children.reversed().filter { child in
      guard reached.insert(child.key.id).inserted else { return false }
      var pending = [child.key]
      while let key = pending.popLast() {
        for reference in shape.children[key.entity] {
          let target = reader.model[reference].target
          guard reader.model.members(of: target).contains(where: shape.isBranch) else { continue }
          for id in try reader.targets(of: reference, from: key.id) where reached.insert(id).inserted {
            pending.append(try concrete(ObjectKey(entity: target, id: id)))
          }
        }
      }
      return true
    }
  }
}

private extension RecordView {
  /// Returns the text of an attribute.
  func text(of attribute: ResolvedAttribute) throws -> String {
    try value(of: attribute).text(as: attribute.type)
  }
}

/// A visit of an object in the tree of a store, from the top down.
package struct TreeNode: Sendable, Hashable {
  /// The object.
  package let id: ObjectID
  /// The name of its entity.
  package let entity: String
  /// The value of its entity's name attribute as text; empty if it is not set.
  package let name: String
  /// The number of objects above it.
  package let depth: Int
  /// Whether no sibling follows.
  package let isLast: Bool
  /// Whether its entity has relationships to children.
  package let isBranch: Bool
  /// Whether the object was visited before, and its children were walked there.
  package let isRepeated: Bool
  /// Whether the object is below itself; it is not visited again there.
  package fileprivate(set) var isInCycle: Bool
  /// The requested values, as text; empty if its entity lacks the attribute.
  package let shown: [String]
}
