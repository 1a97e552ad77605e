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
      let start = try store.head()
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

  @Test func aRootThatIsNotInTheTreeIsRefused() async throws {
    var model = TreeStreamTests.model
    model.entities.append(Entity(name: "Note", attributes: [Attribute(name: "text", type: .string, isOptional: true)]))
    try await withTemporaryStore(model) { store in
      let gone = try await store.write { try $0.insert("Folder", ["name": "gone"]) }
      let note = try await store.write { try $0.insert("Note", [:]) }
      let start = try store.head()
      try await store.write { try $0.delete(gone) }
      let server = try DaybookServer(store: store)
      try await server.application.test(.router) { client in
        let feeds = FeedClient(client: client, server: server)
        for root in ["\(gone)", "\(note)", "00000000-0000-4000-8000-000000000001"] {
          let answer = try await feeds.execute(uri: "/api/tree/stream?root=\(root)&count=0", method: .get)
          #expect(answer.status == .notFound, "\(root)")
        }
        // A client that has the tree is told that its root is gone.
        let events = try await feeds.events("/api/tree/stream?root=\(gone)&from=\(start)&count=1")
        #expect(events.map { $0.json["nodes"]?[0]?["change"]?.stringValue } == ["delete"])
      }
    }
  }

  @Test func aModelThatRenamesAnAttributeIsAReset() async throws {
    try await withTemporaryStore(TreeStreamTests.model) { store in
      try await store.write { _ = try $0.insert("Folder", ["name": "top"]) }
      let start = try store.head()
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
