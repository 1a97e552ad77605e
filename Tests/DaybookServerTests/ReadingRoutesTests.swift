import Daybook
import DaybookTestSupport
import HummingbirdTesting
import Testing

@testable import DaybookServer

@Suite struct ReadingRoutesTests {
  @Test func theFiguresOfAStoreAreJSON() async throws {
    try await withTemporaryStore(Model(entities: [])) { store in
      try await DaybookServer(store: store).application.test(.router) { client in
        let response = try await client.execute(uri: "/api/stats", method: .get)
        #expect(response.status == .ok)
        #expect(String(buffer: response.body).contains("\"head\": 1"))
      }
    }
  }

  @Test func anUnknownParameterIsAProblem() async throws {
    try await withTemporaryStore(Model(entities: [])) { store in
      try await DaybookServer(store: store).application.test(.router) { client in
        let response = try await client.execute(uri: "/api/stats?colour=red", method: .get)
        #expect(response.status == .badRequest)
        #expect(String(buffer: response.body).contains("\"parameter\": \"colour\""))
      }
    }
  }
}
