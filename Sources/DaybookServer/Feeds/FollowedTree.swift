#if Server

import Daybook
import DaybookModel
import DaybookTools

/// A tree that a stream follows.
struct FollowedTree: Hashable, Sendable {
  /// The relationship with its entity: `Folder.children`.
  let relationship: String
  /// The entity of its nodes.
  let entity: String
  let root: ObjectID?
  let depth: Int?

  /// Returns the steps from a position on.
  func source(_ store: Store, from start: Position) -> StepSource {
    let poller = FeedPoller(
      store.changes(ofTree: relationship, root: root, depth: depth, countsChildren: true, from: start))
    let examined = Locked(start)
    return StepSource {
      let change = try poller.poll()
      let (start, end) = (examined.withLock { $0 }, change?.to ?? poller.position)
      defer { examined.withLock { $0 = max($0, end) } }
      return try store.read { reader in
        try step(change, from: change?.from ?? start, examined: start, to: end, in: reader)
      }
    } cursor: {
      FeedCursor(examined.withLock { $0 })
    } wait: {
      await poller.wait()
    } wake: {
      poller.wake()
    }
  }

  private func step(
    _ change: TreeChange?, from start: Position, examined: Position, to end: Position,
    in reader: borrowing StoreReader
  ) throws -> FeedStep? {
    let renamed = try ShownNames.changed(of: [entity], from: examined, to: end, in: reader.journal)
    guard change != nil || !renamed.isEmpty else { return nil }
    let cursor = try reader.cursor(at: end)
    guard let change, !change.isReset, renamed.isEmpty else {
      let members: [(key: String, value: JSONValue)] = [("to", end.json), ("reset", true)]
      let state = try reader.reading(end) { try self.state(in: $0) }
      return FeedStep(starts: start...start, end: cursor, events: [FeedEvent(.reset, after: members), state])
    }
    let model = try reader.reading(end) { $0.resolvedModel }
    var json = Array(change.json(by: model).utf8)
    // The event states `from` itself, because it differs among streams.
    json.removeFirst(#"{"from": \#(change.from.json.text)"#.utf8.count)
    return FeedStep(starts: start...start, end: cursor, events: [FeedEvent(.difference, tail: json)])
  }

  /// Returns the tree at a reader's position.
  func state(in reader: borrowing StoreReader) throws -> FeedEvent {
    // A level more than is shown, for the numbers of children.
    let tree = try reader.treeIDs(ofTree: relationship, root: root, depth: depth.map { $0 + 1 })
    let nodes = try tree.json(reader, depth: depth)
    return FeedEvent(.state, Array("{\"position\": \(reader.position), \"nodes\": \(nodes)}".utf8))
  }

  /// - Parameter isResumed: Whether the client has the tree already, which may be deleted since.
  /// - Throws: `StoreError`: `badRequest` if the model has no such tree, `notFound` for a root that is not in one.
  func check(in reader: borrowing StoreReader, isResumed: Bool) throws {
    let tree = try reader.treeIDs(ofTree: relationship, root: root, depth: 0)
    guard let root, !isResumed, tree.nodes.isEmpty else { return }
    throw StoreError(.notFound, "There is no object \(root) in the tree of \(relationship).", advice: .readHistory)
  }
}

extension FollowedTree {
  /// - Throws: `Problem` with the status 400 if the relationship is not named and the model has none or several of an
  ///   entity to itself; `StoreError` for a name or an object that does not exist.
  init(_ request: ServerRequest, _ reader: borrowing StoreReader, of store: Store) throws {
    let isResumed = try request.cursor() != nil
    let root = try request["root"].map { text in
      guard isResumed else { return try reader.existing(text) }
      // A client that has the tree is notified of the end of its root.
      let id = try reader.resolve(text, includesDeleted: true)
      _ = try store.history(of: id, limit: 1)
      return id
    }
    let model = reader.resolvedModel
    let relationship: String
    if let name = request["relationship"] {
      relationship = name
    } else {
      let names = model.entities.filter { !$0.isRetired }.flatMap { entity in
        entity.relationships.filter { $0.isMany && $0.target == entity.index && $0.isDeclared && !$0.isMirrored }
          .map { "\(entity.name).\($0.name)" }
      }
      guard names.count == 1 else {
        throw Problem(
          .badRequest, "The model has \(names.count) relationships of an entity to itself.",
          advice: names.isEmpty ? nil : "Name one of these: \(names.joined(separator: ", ")).",
          parameter: "relationship")
      }
      relationship = names[0]
    }
    let parts = relationship.split(separator: ".", maxSplits: 1)
    let entity = model.entities.first { entity in
      parts.count == 2
        ? entity.name == parts[0]
        : entity.relationships.contains { $0.name == relationship && $0.target == entity.index && !$0.isRetired }
    }
    self.init(
      relationship: relationship, entity: entity?.name ?? "", root: root, depth: request.number("depth"))
    // What is wrong with it must be reported before the stream begins.
    try check(in: reader, isResumed: isResumed)
  }
}

#endif
