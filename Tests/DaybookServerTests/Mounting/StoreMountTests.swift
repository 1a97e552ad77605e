#if Server

import Daybook
import DaybookModel
import DaybookPage
import DaybookTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

/// Several stores in one server, each under its path, with the rules of the server.
@Suite(.hangLimit) struct StoreMountTests {
  /// Runs a server of two stores: `/a` with a page and an operation of its own, and `/b`.
  private func withMounts(
    ownPagesMayWrite: Bool = true,
    _ body: @escaping @Sendable (any TestClientProtocol, _ a: Store, _ b: Store) async throws -> Void
  ) async throws {
    try await withTemporaryStore(RowStore.model) { a in
      try await withTemporaryStore(RowStore.model) { b in
        var configuration = ServerConfiguration(allowsWriting: true)
        configuration.ownPagesMayWrite = ownPagesMayWrite
        var mount = StoreMount(a, at: "/a")
        mount.files = ["/": PageFile("index.html", Array("the page of a".utf8)), "/own.js": PageFile("own.js", [])]
        mount.routes = [
          Route(method: .get, path: "/own/{id}", summary: "", parameters: [.id]) { request in
            Response(["id": .string(request["id"] ?? "")])
          }
        ]
        let server = try DaybookServer(
          mounting: [mount, StoreMount(b, at: "/b")], configuration: configuration,
          files: ["/": PageFile("index.html", Array("the first page".utf8))])
        #expect((server.token == nil) == ownPagesMayWrite)
        try await server.application.test(.router) { client in try await body(client, a, b) }
      }
    }
  }

  private static func send(
    _ client: any TestClientProtocol, _ uri: String, _ method: HTTPRequest.Method = .get, origin: String? = nil,
    host: String? = nil, body: String = ""
  ) async throws -> (status: Int, headers: HTTPFields, text: String) {
    var fields: HTTPFields = [.contentType: "application/json"]
    if let origin { fields[.origin] = origin }
    let answer = try await client.execute(
      uri: uri, method: method, headers: fields, body: body.isEmpty ? nil : ByteBuffer(string: body))
    return (answer.status.code, answer.headers, String(buffer: answer.body))
  }

  private static let insert = #"{"insert": "Row", "values": {"name": "x"}}"#

  @Test func eachStoreIsUnderItsPath() async throws {
    try await withMounts { client, a, b in
      let written = try await Self.send(
        client, "/a/api/commits", .post, origin: "http://localhost:8642", body: Self.insert)
      #expect(written.status == 201)
      #expect(try a.count(Request(entity: "Row")) == 1)
      #expect(try b.count(Request(entity: "Row")) == 0)
      #expect(try await Self.send(client, "/a/api/fetch/Row").text.contains("\"total\": 1"))
      #expect(try await Self.send(client, "/b/api/fetch/Row").text.contains("\"total\": 0"))
      #expect(try await Self.send(client, "/api/fetch/Row").status == 404)
      #expect(try await Self.send(client, "/a/api/fetch/Row", .post).status == 405)
      #expect(try await Self.send(client, "/b/health/ready").status == 200)
      #expect(try await Self.send(client, "/a/openapi.json").text.contains("\"url\": \"/a\""))
      #expect(try await Self.send(client, "/a/openapi.json").text.contains("/own/{id}"))
    }
  }

  @Test func anApplicationHasFilesAndOperationsOfItsOwn() async throws {
    try await withMounts { client, _, _ in
      #expect(try await Self.send(client, "/").text == "the first page")
      #expect(try await Self.send(client, "/a").text == "the page of a")
      #expect(try await Self.send(client, "/a/own.js").headers[.contentType] == "text/javascript; charset=utf-8")
      #expect(try await Self.send(client, "/a/own/7").text.contains("\"7\""))
      #expect(try await Self.send(client, "/b/own/7").status == 404)
      #expect(try await Self.send(client, "/page/daybook.js").status == 200)
      for path in ["/", "/a", "/a/own/7", "/page/daybook.js"] {
        let headers = try await Self.send(client, path).headers
        #expect(headers[.contentSecurityPolicy]?.contains("default-src 'self'") == true)
      }
    }
  }

  @Test func onlyPagesOfTheServerWriteWithoutToken() async throws {
    try await withMounts { client, a, _ in
      for origin in [nil, "null", "http://elsewhere.example", "http://localhost", "https://localhost"] {
        let refused = try await Self.send(client, "/a/api/commits", .post, origin: origin, body: Self.insert)
        #expect(refused.status == 403, "\(origin ?? "no origin")")
      }
      #expect(try a.count(Request(entity: "Row")) == 0)
    }
    try await withMounts(ownPagesMayWrite: false) { client, _, _ in
      let refused = try await Self.send(
        client, "/a/api/commits", .post, origin: "http://localhost:8642", body: Self.insert)
      #expect(refused.status == 401)
    }
  }

  @Test func pagesWriteWithoutTokenOnThisMachineAlone() throws {
    var configuration = ServerConfiguration(host: "0.0.0.0", allowsWriting: true)
    configuration.ownPagesMayWrite = true
    #expect(throws: ServerConfigurationError.self) { try configuration.check() }
    configuration.host = "127.0.0.1"
    try configuration.check()
    configuration.tokenFile = "tokens"
    #expect(throws: ServerConfigurationError.self) { try configuration.check() }
  }
}

#endif
