#if Server

import Daybook
import DaybookTestSupport
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

@Suite(.hangLimit) struct HealthRoutesTests {
  @Test func `a server whose store has lost its path is alive and not ready, and takes no write`() async throws {
    let directory = try TemporaryDirectory()
    let store = try Store.create(at: directory.path("store"), model: RowStore.model)
    defer { store.close() }
    let server = try DaybookServer(store: store, configuration: ServerConfiguration(allowsWriting: true))
    try await server.application.test(.router) { client in
      func status(_ uri: String) async throws -> Int { try await client.execute(uri: uri, method: .get).status.code }
      #expect(try await status("/health/ready") == 200)
      try FileManager.default.moveItem(atPath: store.path, toPath: directory.path("aside"))
      #expect(try await status("/health/ready") == 503)
      #expect(try await status("/health/live") == 200)
      #expect(try await status("/api/fetch/Row") == 200)
      let error = #expect(throws: StoreError.self) { try store.write { _ = try $0.insert("Row", ["name": "lost"]) } }
      #expect(error?.code == .displaced)
      try FileManager.default.moveItem(atPath: directory.path("aside"), toPath: store.path)
      #expect(try await status("/health/ready") == 200)
    }
  }
}

#endif
