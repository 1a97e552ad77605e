import Daybook
import DaybookModel
import DaybookTools

/// A tree that a stream follows.
struct FollowedTree: Hashable, Sendable {
  /// The relationship with its entity: `Folder.children`.
  let relationship: String
  let root: ObjectID?
  let depth: Int?

  /// Returns the steps from a position on.
  func source(_ store: Store, from start: Position) -> StepSource {
    StepSource(store.changes(ofTree: relationship, root: root, depth: depth, from: start)) { change in
      try store.read(at: change.to) { reader in
        let mark = try reader.mark(at: change.to)
        var json = Array(change.json(by: reader.resolvedModel).utf8)
        // The event states `from` itself, because it differs among streams.
        json.removeFirst(#"{"from": \#(change.from.json.text)"#.utf8.count)
        var events = [FeedEvent(change.isReset ? .reset : .difference, tail: json)]
        if change.isReset { events.append(try state(in: reader)) }
        return FeedStep(starts: change.from...change.from, end: mark, events: events)
      }
    }
  }

  /// Returns the tree at a reader's position, as the insertion of each branch at the top.
  func state(in reader: borrowing StoreReader) throws -> FeedEvent {
    let tree = try reader.treeIDs(ofTree: relationship, root: root, depth: depth)
    return FeedEvent(.state, Array("{\"position\": \(reader.position), \"nodes\": \(tree.json)}".utf8))
  }

  /// - Throws: `StoreError` with the code `badRequest` if the model has no such tree.
  func check(in reader: borrowing StoreReader) throws {
    _ = try reader.treeDifference(
      ofTree: relationship, root: root, depth: 0, from: reader.position, to: reader.position)
  }
}

extension FollowedTree {
  /// - Throws: `Problem` with the status 400 if the relationship is not named and the model has none or several of an
  ///   entity to itself; `StoreError` for a name or an object that does not exist.
  init(_ request: ServerRequest, _ reader: borrowing StoreReader) throws {
    let root = try request["root"].map { try reader.resolve($0) }
    let relationship: String
    if let name = request["relationship"] {
      relationship = name
    } else {
      let model = reader.resolvedModel
      let names = model.entities.filter { !$0.isRetired }.flatMap { entity in
        entity.relationships.filter { $0.isMany && $0.target == entity.index && !$0.isRetired }
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
    self.init(relationship: relationship, root: root, depth: request.number("depth"))
    // What is wrong with it must be said before the stream begins.
    try check(in: reader)
  }
}
