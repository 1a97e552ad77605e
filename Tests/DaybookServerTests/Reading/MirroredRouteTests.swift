#if Server

import Daybook
import DaybookModel
import DaybookTestSupport
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

/// Relationships that are their own inverses, over HTTP.
@Suite("Relationships that are their own inverses, over HTTP", .hangLimit) struct MirroredRouteTests {
  private static let model = Model(entities: [
    Entity(
      name: "Person", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "friends", target: "Person", inverse: "friends", isMany: true),
        Relationship(name: "partner", target: "Person", inverse: "partner", isOptional: true),
      ])
  ])

  @Test("Both objects show a link, and a path leads over it from either")
  func objects() async throws {
    try await withTemporaryStore(Self.model) { store in
      let ids = try await store.write { tx in
        let ids = try ["Ada", "Ben", "Cy"].map { try tx.insert("Person", ["name": .string($0)]) }
        try tx.relate(ids[1], "friends", to: ids[0])
        try tx.relate(ids[2], "partner", to: ids[0])
        return ids
      }
      let server = try DaybookServer(store: store)
      try await server.application.test(.router) { client in
        func json(_ uri: String) async throws -> JSONValue {
          let response = try await client.execute(uri: uri, method: .get)
          let text = String(buffer: response.body)
          #expect(response.status == .ok, "\(uri): \(text)")
          return try JSONValue(parsing: text)
        }
        for (id, others) in [(ids[0], [ids[1], ids[2]]), (ids[1], [ids[0]]), (ids[2], [ids[0]])] {
          let text = try await json("/api/objects/\(id)").text
          for other in others { #expect(text.contains("\(other)"), "\(text)") }
        }
        let filter = "partner.name%20%3D%3D%20%22Ada%22%20OR%20ANY%20friends.name%20%3D%3D%20%22Ada%22"
        #expect(try await json("/api/fetch/Person?where=\(filter)&limit=0")["total"]?.integerValue == 2)
        #expect(try await json("/api/model").text.contains(#""inverse": "friends""#))
        let tree = try await client.execute(uri: "/api/tree/stream?relationship=friends", method: .get)
        #expect(tree.status != .ok)
      }
    }
  }
}

#endif
