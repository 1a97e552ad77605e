#if Server

import Daybook
import DaybookModel
import DaybookTestSupport
import DaybookTools
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

/// Hierarchies of entities over HTTP.
@Suite("Hierarchies over HTTP", .hangLimit) struct HierarchyRouteTests {
  private static let model = Model(entities: [
    Entity(name: "Vehicle", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)]),
    Entity(
      name: "Car", parent: "Vehicle", attributes: [Attribute(name: "doors", type: .integer, defaultValue: .integer(5))]),
  ])

  @Test("A parent's objects are fetched and counted with its children's, and without them")
  func fetch() async throws {
    try await withTemporaryStore(Self.model) { store in
      try await store.write { tx in
        try tx.insert("Vehicle", ["name": "Cart"])
        try tx.insert("Car", ["name": "Beetle", "doors": 3])
      }
      let server = try DaybookServer(store: store)
      try await server.application.test(.router) { client in
        func json(_ uri: String) async throws -> JSONValue {
          let response = try await client.execute(uri: uri, method: .get)
          let text = String(buffer: response.body)
          #expect(response.status == .ok, "\(uri): \(text)")
          return try JSONValue(parsing: text)
        }
        #expect(try await json("/api/fetch/Vehicle?limit=0")["total"]?.integerValue == 2)
        #expect(try await json("/api/fetch/Vehicle?limit=0&only=true")["total"]?.integerValue == 1)
        let all = try await json("/api/fetch/Vehicle?sort=name").text
        #expect(all.contains("Beetle") && all.contains("Cart") && all.contains(#""entity": "Car""#), "\(all)")
        let own = try await json("/api/fetch/Vehicle?only=true").text
        #expect(!own.contains("Beetle") && own.contains("Cart"), "\(own)")
        let sections = try await json("/api/fetch/Vehicle?section=entity&counts=true")
        #expect(sections["counts"]?.text == #"[{"name": "Car", "count": 1}, {"name": "Vehicle", "count": 1}]"#)
      }
    }
  }
}

#endif
