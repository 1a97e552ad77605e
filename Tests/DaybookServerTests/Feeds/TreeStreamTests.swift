#if Server

import Daybook
import DaybookTestSupport
import HummingbirdTesting
import Testing

@testable import DaybookServer

/// Streams of trees, over the router without a socket.
@Suite(.hangLimit) struct TreeStreamTests {
  private static let model = Model(entities: [
    Entity(
      name: "Folder", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "children", target: "Folder", inverse: "parent", isMany: true, deleteRule: .cascade),
        Relationship(name: "parent", target: "Folder", inverse: "children", isOptional: true),
      ])
  ])

  @Test func aTreeIsStatedAndThenItsDifferences() async throws {
    try await withTemporaryStore(TreeStreamTests.model) { store in
      let top = try await store.write { try $0.insert("Folder", ["name": "top"]) }
      let start = try store.position
      try await store.write { tx in
        let child = try tx.insert("Folder", ["name": "child"])
        try tx.relate(child, "parent", to: top)
      }
      let server = try DaybookServer(store: store)
      try await server.application.test(.router) { client in
        let feeds = FeedClient(client: client, server: server)
        for query in ["", "relationship=Folder.children&", "root=\(top)&", "depth=3&"] {
          let states = try await feeds.events("/api/tree/stream?\(query)count=0")
          #expect(states.map(\.name) == ["state"])
          #expect(states.first?.json["nodes"]?[0]?["id"]?.stringValue == "\(top)")
          #expect(states.first?.json["nodes"]?[0]?["children"]?.elements?.count == 1)
          let changes = try await feeds.events("/api/tree/stream?\(query)from=\(start)&count=1")
          #expect(changes.map(\.name) == ["difference"])
          let root = query.hasPrefix("root") ? top : nil
          let expected = try store.read { reader in
            try reader.treeDifference(
              ofTree: "Folder.children", root: root, depth: query.hasPrefix("depth") ? 3 : nil, from: start,
              to: reader.position
            ).json(by: reader.resolvedModel)
          }
          #expect(try changes.first?.json == JSONValue(parsing: expected))
        }
        let reset = try await feeds.events("/api/tree/stream?from=99&count=0")
        #expect(reset.map(\.name) == ["reset", "state"])
        try await feeds.waitUntilNothingIsFollowed()
      }
    }
  }

  @Test func theStateHasWhatTheTreeHas() async throws {
    try await withTemporaryStore(TreeStreamTests.model) { store in
      let top = try await store.write { try $0.insert("Folder", ["name": "top"]) }
      try await store.write { tx in
        for name in ["a", "b"] { try tx.relate(try tx.insert("Folder", ["name": .string(name)]), "parent", to: top) }
      }
      let server = try DaybookServer(store: store)
      try await server.application.test(.router) { client in
        let feeds = FeedClient(client: client, server: server)
        for (query, count) in [("", 2), ("depth=0&", 0), ("root=\(top)&depth=0&", 0)] {
          let node = try await feeds.events("/api/tree/stream?\(query)count=0").first?.json["nodes"]?[0]
          #expect(node?["name"]?.stringValue == "top" && node?["entity"]?.stringValue == "Folder")
          #expect(node?["childCount"]?.integerValue == 2 && node?["children"]?.elements?.count == count)
          #expect(node?["values"]?["name"]?.stringValue == "top")
        }
      }
    }
  }

  @Test func aNodeOfTheLastLevelIsUpdatedWithItsChildCount() async throws {
    try await withTemporaryStore(TreeStreamTests.model) { store in
      let top = try await store.write { try $0.insert("Folder", ["name": "top"]) }
      let start = try store.position
      try await store.write { try $0.relate(try $0.insert("Folder", ["name": "a"]), "parent", to: top) }
      let server = try DaybookServer(store: store)
      try await server.application.test(.router) { client in
        let feeds = FeedClient(client: client, server: server)
        for root in ["", "&root=\(top)"] {
          let events = try await feeds.events("/api/tree/stream?depth=0&from=\(start)&count=1\(root)")
          let change = events.first?.json["nodes"]?[0]
          #expect(events.first?.json["nodes"]?.elements?.count == 1)
          #expect(change?["change"]?.stringValue == "update" && change?["id"]?.stringValue == "\(top)")
          #expect(change?["node"]?["childCount"]?.integerValue == 1)
        }
        let answer = try await feeds.execute(uri: "/api/tree/stream", method: .head)
        #expect(answer.status == .ok && answer.headers[.contentType] == "text/event-stream")
        #expect(answer.headers[.contentLength] == nil)
      }
    }
  }

  /// With the state and each difference after it, a client has the numbers of children of a fresh state.
  @Test func childCountsAreThoseOfAFreshState() async throws {
    for seed in Seeds.list(3) {
      try await withTemporaryStore(TreeStreamTests.model) { store in
        var random = SeededRandom(seed: seed)
        var folders: [ObjectID] = []
        for _ in 0..<60 {
          let start = try store.position
          let old = try (0...2).map { try TreeStreamTests.childCounts(of: TreeStreamTests.tree($0), in: store) }
          for _ in 0..<random.number(1...3) { try TreeStreamTests.write(&folders, &random, to: store) }
          for depth in 0...2 {
            let tree = TreeStreamTests.tree(depth)
            var known = old[depth]
            for event in try tree.source(store, from: start).poll()?.events ?? [] where event.kind == .difference {
              let json = try JSONValue(parsing: "{\"from\": \(start)" + String(buffer: event.rest))
              for change in json["nodes"]?.elements ?? [] {
                if let node = change["node"] { TreeStreamTests.note(node, level: 0, &known) }
              }
            }
            for (id, node) in try TreeStreamTests.childCounts(of: tree, in: store) where node.level == depth {
              #expect(known[id]?.count == node.count, "seed \(seed), depth \(depth), from \(start): \(id)")
            }
          }
        }
      }
    }
  }

  private static func tree(_ depth: Int) -> FollowedTree {
    FollowedTree(relationship: "Folder.children", entity: "Folder", root: nil, depth: depth)
  }

  private typealias ChildCounts = [String: (level: Int, count: Int64)]

  private static func childCounts(of tree: FollowedTree, in store: Store) throws -> ChildCounts {
    let event = try store.read { try tree.state(in: $0) }
    var counts: ChildCounts = [:]
    for node in try JSONValue(parsing: String(buffer: event.rest))["nodes"]?.elements ?? [] {
      note(node, level: 0, &counts)
    }
    return counts
  }

  private static func note(_ node: JSONValue, level: Int, _ counts: inout ChildCounts) {
    if let id = node["id"]?.stringValue, let count = node["childCount"]?.integerValue { counts[id] = (level, count) }
    for child in node["children"]?.elements ?? [] { note(child, level: level + 1, &counts) }
  }

  private static func write(_ folders: inout [ObjectID], _ random: inout SeededRandom, to store: Store) throws {
    var (known, draw) = (folders, random)
    try store.write { tx in
      switch draw.number(0..<10) {
      case 0...3 where known.count < 25, _ where known.count < 4:
        let folder = try tx.insert("Folder", ["name": .string("\(draw.number(0...9))")])
        if !known.isEmpty, !draw.isOneIn(4) { try tx.relate(folder, "parent", to: draw.pick(known)) }
        known.append(folder)
      case 4:
        try tx.delete(draw.pick(known))
        known = try known.filter { try tx.get($0) != nil }
      case 5:
        let folder = draw.pick(known)
        if let parent = try tx.targets(of: folder, "parent").first { try tx.unrelate(folder, "parent", from: parent) }
      case 6: try tx.set(draw.pick(known), ["name": .string("\(draw.number(0...9))")])
      default: try tx.relate(draw.pick(known), "parent", to: draw.pick(known))
      }
    }
    (folders, random) = (known, draw)
  }

  @Test func aRootThatIsNotInTheTreeIsRefused() async throws {
    var model = TreeStreamTests.model
    model.entities.append(Entity(name: "Note", attributes: [Attribute(name: "text", type: .string, isOptional: true)]))
    try await withTemporaryStore(model) { store in
      let gone = try await store.write { try $0.insert("Folder", ["name": "gone"]) }
      let note = try await store.write { try $0.insert("Note", [:]) }
      let start = try store.position
      try await store.write { try $0.delete(gone) }
      let server = try DaybookServer(store: store)
      try await server.application.test(.router) { client in
        let feeds = FeedClient(client: client, server: server)
        for root in ["\(gone)", "\(note)", "00000000-0000-4000-8000-000000000001"] {
          let answer = try await feeds.execute(uri: "/api/tree/stream?root=\(root)&count=0", method: .get)
          #expect(answer.status == .notFound, "\(root)")
        }
        // A client that has the tree is notified that its root is gone.
        let events = try await feeds.events("/api/tree/stream?root=\(gone)&from=\(start)&count=1")
        #expect(events.map { $0.json["nodes"]?[0]?["change"]?.stringValue } == ["delete"])
      }
    }
  }

  @Test func aModelThatRenamesAnAttributeIsAReset() async throws {
    try await withTemporaryStore(TreeStreamTests.model) { store in
      try await store.write { _ = try $0.insert("Folder", ["name": "top"]) }
      let start = try store.position
      var model = TreeStreamTests.model
      model.entities[0].nameAttribute = "title"
      model.entities[0].attributes[0].name = "title"
      model.entities[0].attributes[0].renamedFrom = "name"
      try store.apply(model)
      let server = try DaybookServer(store: store)
      try await server.application.test(.router) { client in
        let feeds = FeedClient(client: client, server: server)
        let writer = Task {
          for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(20))
            try await store.write { _ = try $0.insert("Folder", ["title": "more"]) }
          }
        }
        let events = try await feeds.events("/api/tree/stream?from=\(start)&count=1")
        try await writer.value
        #expect(events.prefix(2).map(\.name) == ["reset", "state"])
        // Nodes are in the order of their names, and the writer may have inserted some.
        let nodes = events.dropFirst().first?.json["nodes"]?.elements ?? []
        #expect(nodes.last?["values"]?["title"]?.stringValue == "top")
      }
    }
  }
}

#endif
