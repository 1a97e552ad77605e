import Daybook
import DaybookDiff
import DaybookModel
import DaybookTools
import Hummingbird

/// The operations that follow the journal: its commits, and the tree of a relationship.
struct JournalStreamRoutes {
  private let state: ServerState
  private let hub: FeedHub

  init(_ state: ServerState, _ hub: FeedHub) {
    (self.state, self.hub) = (state, hub)
  }

  var routes: [Route] { [commits, tree] }

  /// The most bytes of commits in one piece.
  private static let pieceSizeInBytes = 256 << 10

  private var commits: Route {
    Route(
      method: .get, path: "/api/commits/stream", summary: "The commits that meet conditions, as they are made.",
      parameters: [StreamCursor.parameter] + Parameter.commitFilter, answers: [ChangeRoutes.eventStream]
    ) { request in
      let cursor = try StreamCursor(request)
      let isNarrow = request.flag("eventsOnly")
      let filter = try await state.blocking { store in
        let filter = try request.commitFilter(in: store)
        // What is wrong with it must be said before the stream begins.
        _ = try store.explain(filter)
        return filter
      }
      return try EventStream(hub: hub, followsJournal: true).answer(request) { [state] signal, sink in
        let start = try await JournalStreamRoutes.begin(state, cursor) { _, position in ["position": position.json] }
        if let bytes = start.bytes { try await sink.send(bytes) }
        try await JournalStreamRoutes.follow(state, from: start.position, signal, &sink) { store, position in
          try JournalStreamRoutes.commits(where: filter, isNarrow, after: position, in: store)
        }
      }
    }
  }

  private static func commits(
    where filter: CommitFilter, _ isNarrow: Bool, after position: Position, in store: Store
  ) throws -> (bytes: ByteBuffer, position: Position) {
    let head = try store.head()
    guard position < head else { return (ByteBuffer(), position) }
    var log = try store.log(where: filter, from: position.next, to: head, matchingEventsOnly: isNarrow)
    var buffer = ByteBuffer()
    var last = position
    while let next = try log.nextPosition(), buffer.readableBytes < pieceSizeInBytes {
      var line: [UInt8] = []
      _ = try log.writeNext(.log, to: &line)
      line.removeLast()
      let mark = try store.read { try $0.mark(at: next) }
      var event = EventText.event("commit", id: mark, line)
      buffer.writeBuffer(&event)
      last = next
    }
    return (buffer, try log.nextPosition() == nil ? head : last)
  }

  private var tree: Route {
    Route(
      method: .get, path: "/api/tree/stream", summary: "The differences of a tree, as they occur.",
      parameters: [
        Parameter("relationship", .text, "The relationship of an entity to itself; needed if the model has several."),
        Parameter("root", .object, "The object at the top; if it is left out, all objects without a parent."),
        Parameter(
          "depth", .number(0...TreeRoute.maximumDepth), "How many levels below the top; all if it is left out."),
        StreamCursor.parameter,
      ], answers: [ChangeRoutes.eventStream]
    ) { request in
      let cursor = try StreamCursor(request)
      let followed = try await state.blocking { store in
        try store.read { try FollowedTree(request, $0) }
      }
      return try EventStream(hub: hub, followsJournal: true).answer(request) { [state] signal, sink in
        let start = try await JournalStreamRoutes.begin(state, cursor) { try followed.state(at: $1, $0) }
        if let bytes = start.bytes { try await sink.send(bytes) }
        try await JournalStreamRoutes.follow(state, from: start.position, signal, &sink) { store, position in
          try followed.changes(since: position, in: store)
        }
      }
    }
  }

  /// Returns what a stream begins with: nothing for a client that resumes; else the state, after a reset if it must.
  private static func begin(
    _ state: ServerState, _ cursor: StreamCursor,
    _ body: @escaping @Sendable (borrowing StoreReader, Position) throws -> JSONValue
  ) async throws -> (bytes: ByteBuffer?, position: Position) {
    try await state.blocking { store in
      try store.read { reader in
        var buffer = ByteBuffer()
        if case .after(let mark) = cursor {
          if try reader.has(mark) { return (nil, mark.position) }
          buffer = EventText.event("reset", id: nil, Subscriber.reset(since: mark))
        }
        var event = EventText.event(
          "state", id: try reader.mark(at: reader.position), try body(reader, reader.position))
        buffer.writeBuffer(&event)
        return (buffer, reader.position)
      }
    }
  }

  /// Sends what a closure reads after each position, until the stream ends.
  private static func follow(
    _ state: ServerState, from start: Position, _ signal: StreamSignal, _ sink: inout EventSink,
    _ read: @escaping @Sendable (Store, Position) throws -> (bytes: ByteBuffer, position: Position)
  ) async throws {
    var (position, told) = (start, start)
    while true {
      let (bytes, reached) = try await state.blocking { [position] store in try read(store, position) }
      if bytes.readableBytes > 0 {
        try await sink.send(bytes)
        told = reached
      }
      if reached > position {
        position = reached
        continue
      }
      let now = ContinuousClock.now
      let wanted = sink.lastSent + EventStream.positionInterval
      switch await signal.wait(until: wanted > now ? wanted : now + EventStream.positionInterval) {
      case .end: return
      case .news: continue
      case .time:
        if position > told {
          let mark = try await state.blocking { [position] store in try store.read { try $0.mark(at: position) } }
          try await sink.send(EventText.event("position", id: mark, ["position": position.json]))
          told = position
        } else if ContinuousClock.now >= sink.lastSent + EventStream.commentInterval {
          try await sink.send(EventText.comment)
        }
      }
    }
  }
}

/// The tree that a stream follows.
private struct FollowedTree: Sendable {
  let relationship: String
  let root: ObjectID?
  let depth: Int?

  /// - Throws: `Problem` with the status 400 if the relationship is not named and the model has none or several of an
  ///   entity to itself; `StoreError` for a name or an object that does not exist.
  init(_ request: ServerRequest, _ reader: borrowing StoreReader) throws {
    root = try request["root"].map { try reader.resolve($0) }
    depth = request.number("depth")
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
    // What is wrong with it must be said before the stream begins.
    _ = try reader.treeDifference(
      ofTree: relationship, root: root, depth: 0, from: reader.position, to: reader.position)
  }

  func state(at position: Position, _ reader: borrowing StoreReader) throws -> JSONValue {
    let forest = try reader.treeIDs(ofTree: relationship, root: root, depth: depth, at: position)
    return ["position": position.json, "nodes": try JSONValue(parsing: forest.json)]
  }

  func changes(since position: Position, in store: Store) throws -> (bytes: ByteBuffer, position: Position) {
    try store.read { reader in
      guard position < reader.position else { return (ByteBuffer(), position) }
      let change = try reader.treeDifference(
        ofTree: relationship, root: root, depth: depth, from: position, to: reader.position)
      if change.isEmpty { return (ByteBuffer(), change.to) }
      let mark = try reader.mark(at: change.to)
      guard change.isReset else {
        return (EventText.event("difference", id: mark, Array(change.json(by: reader.resolvedModel).utf8)), change.to)
      }
      var buffer = EventText.event("reset", id: nil, Array(change.json(by: reader.resolvedModel).utf8))
      var state = EventText.event("state", id: mark, try self.state(at: change.to, reader))
      buffer.writeBuffer(&state)
      return (buffer, change.to)
    }
  }
}
