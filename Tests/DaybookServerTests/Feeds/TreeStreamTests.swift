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
}
