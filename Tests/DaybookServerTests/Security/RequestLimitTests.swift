#if Server

import Daybook
import DaybookModel
import DaybookTestSupport
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import DaybookServer

/// The sizes and times beyond which a request is refused or ended.
@Suite(.hangLimit) struct RequestLimitTests {
  /// Runs a server that writes on a port, and gives the port and its token.
  private func withLiveServer(
    _ configure: (inout ServerConfiguration) -> Void, _ body: @escaping @Sendable (Int, String) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration(port: 0, allowsWriting: true)
    configure(&configuration)
    let limited = configuration
    try await withTemporaryStore(RowStore.model) { store in
      let server = try DaybookServer(store: store, configuration: limited)
      let token = server.token ?? ""
      try await server.application.test(.live) { client async throws in
        try await body(try #require(client.port), token)
      }
    }
  }

  @Test func whatIsTooLargeIsRefused() async throws {
    try await withLiveServer {
      $0.bodyLimit = 1_000
    } _: { port, token in
      let long = String(repeating: "a", count: 9_000)
      let target = try await RawRequest.head(of: "GET /\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port)
      #expect(target.hasPrefix("HTTP/1.1 414"))
      let field = String(repeating: "a", count: 20_000)
      let header = try await RawRequest.head(
        of: "GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-A: \(field)\r\n\r\n", port: port)
      #expect(header.hasPrefix("HTTP/1.1 431"), "\(header)")
      let fields = "Host: localhost\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
      let body = try await RawRequest.head(
        of: "POST /api/commits HTTP/1.1\r\n\(fields)Content-Length: 2000\r\n\r\n"
          + String(repeating: " ", count: 2_000),
        port: port)
      #expect(body.hasPrefix("HTTP/1.1 413"), "\(body)")
      // The server still answers.
      let alive = try await RawRequest.head(of: "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port)
      #expect(alive.hasPrefix("HTTP/1.1 200"))
    }
  }

  /// RFC 9110, 10.1.1: a client that waits before it sends its body receives the answer at once whether it is wanted.
  @Test func aBodyThatIsTooLargeIsRefusedBeforeItIsSent() async throws {
    try await withLiveServer {
      $0.bodyLimit = 1_000
    } _: { port, token in
      let fields = "Host: localhost\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
      for path in ["/api/commits", "/api/undo"] {
        for (length, status) in [(1_000, 100), (1_001, 413)] {
          let text = "POST \(path) HTTP/1.1\r\n\(fields)Expect: 100-continue\r\nContent-Length: \(length)\r\n\r\n"
          let head = try await RawRequest.head(of: text, port: port)
          #expect(head.hasPrefix("HTTP/1.1 \(status)"), "\(path): \(head)")
        }
      }
    }
  }

  @Test(arguments: [
    "GET /health/live HTTP/1.1\r\nHost: local",
    "POST /login HTTP/1.1\r\nHost: localhost:PORT\r\nOrigin: http://localhost:PORT\r\nContent-Length: 9\r\n"
      + "Content-Type: application/x-www-form-urlencoded\r\n\r\na",
  ])
  func aRequestThatIsNeverCompleteEndsItsConnection(_ text: String) async throws {
    try await withLiveServer {
      $0.requestTimeLimit = .milliseconds(200)
    } _: { port, _ in
      let answer = try await RawRequest.answer(to: text.replacing("PORT", with: "\(port)"), port: port)
      #expect(answer.contains("HTTP/1.1 408") && answer.lowercased().contains("connection: close"), "\(answer)")
    }
  }

  @Test func aFetchThatTakesTooLongIsEnded() async throws {
    var model = RowStore.model
    model.entities[0].relationships = [
      Relationship(name: "parent", target: "Row", inverse: "children", isOptional: true),
      Relationship(name: "children", target: "Row", inverse: "parent", isMany: true),
    ]
    try await withTemporaryStore(model) { store in
      try await store.write { tx in
        for number in 0..<3_000 { _ = try tx.insert("Row", ["name": .string("\(number)")]) }
      }
      var configuration = ServerConfiguration()
      configuration.fetchTimeLimit = .nanoseconds(1)
      try await DaybookServer(store: store, configuration: configuration).application.test(.router) { client in
        // No row matches, so only the reading of rows, commits or events can notice the time.
        let none = "where=name%20CONTAINS%20%22x%22"
        for uri in [
          "/api/fetch/Row?\(none)", "/api/diff/Row?from=0&\(none)", "/api/tree",
          "/api/commits?where=event.name%20CONTAINS%20%22x%22",
        ] {
          let answer = try await client.execute(uri: uri, method: .get)
          #expect(answer.status == .serviceUnavailable, "\(uri)")
          #expect(answer.headers[.retryAfter] != nil)
          #expect(String(buffer: answer.body).contains("advice"))
        }
      }
    }
  }

  /// Each way in which a route reads or writes a store: routes of the server and of an application.
  @Test func theTimeLimitHoldsForStreamsAndForRoutesOfApplications() async throws {
    try await withTemporaryStore(RowStore.model) { store in
      try await store.write { tx in
        for number in 0..<1_000 { _ = try tx.insert("Row", ["name": .string("\(number)")]) }
      }
      let request = try Request(entity: "Row", filter: Filter(parsing: "name CONTAINS \"x\""))
      var mount = StoreMount(store, at: "/app")
      mount.routes = [
        Route(method: .get, path: "/answer", summary: "") { answered in
          Response(["count": .integer(Int64(try await answered.blocking { try store.count(request) }))])
        },
        Route(method: .get, path: "/stream", summary: "") { answered in
          Response.events(answering: answered) { writer in
            let count = try await answered.blocking { try store.count(request) }
            try await writer.write(ByteBuffer(string: "data: \(count)\n\n"))
          } onLeave: {
          }
        },
      ]
      for isLimited in [true, false] {
        var configuration = ServerConfiguration()
        if isLimited { configuration.fetchTimeLimit = .nanoseconds(1) }
        let server = try DaybookServer(mounting: [mount], configuration: configuration, files: [:])
        try await server.application.test(.router) { client in
          let answer = try await client.execute(uri: "/app/answer", method: .get)
          #expect(answer.status == (isLimited ? .serviceUnavailable : .ok))
          let feed = "/app/api/changes/Row?from=0&count=1&where=name%20CONTAINS%20%22x%22%20OR%20number=0"
          for uri in ["/app/stream", feed] {
            let text = String(buffer: try await client.execute(uri: uri, method: .get).body)
            #expect(text.contains("\"status\": 503") == isLimited, "\(uri): \(text.prefix(300))")
            // The stream has begun: what is wrong is its last event. A feed begins when its first event is made.
            #expect(text.contains("event: problem") == (isLimited && uri == "/app/stream"))
          }
        }
      }
    }
  }

  @Test func aWriteThatWaitsForOthersTooLongIsRefused() async throws {
    try await withTemporaryStore(RowStore.model) { store in
      for isLimited in [true, false] {
        var configuration = ServerConfiguration(allowsWriting: true)
        if isLimited { configuration.fetchTimeLimit = .milliseconds(20) }
        let server = try DaybookServer(store: store, configuration: configuration)
        let other = isLimited ? try OpenWrite(to: store) : nil
        try await server.application.test(.router) { client in
          let writer = WritingClient(client: client, token: server.token)
          let answer = try await writer.post("/api/commits", #"{"insert": "Row", "values": {"name": "x"}}"#)
          #expect(answer.status == (isLimited ? .serviceUnavailable : .created), "\(answer.text)")
        }
        try other?.end()
        #expect(try store.count(Request(entity: "Row")) == (isLimited ? 0 : 1))
      }
    }
  }
}

#endif
