#if Server

import Daybook
import DaybookModel
import DaybookTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import DaybookServer

@Suite(.hangLimit) struct SecurityTests {
  private static let reader = "reader-token-0123456789"
  private static let writer = "writer-token-0123456789"
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Writes a token file.
  private func tokenFile(
    _ text: String = "\(reader) read ben\n# a comment\n\(writer) write anna\n", permissions: Int = 0o600
  ) throws -> String {
    let path = directory.path("tokens")
    try? FileManager.default.removeItem(atPath: path)
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: permissions]))
    return path
  }

  private func withServer(
    _ change: (inout ServerConfiguration) -> Void = { _ in },
    _ body: @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration(allowsWriting: true)
    change(&configuration)
    try await withTemporaryStore(RowStore.model) { [configuration] store in
      let server = try DaybookServer(store: store, configuration: configuration)
      try await server.application.test(.router) { client async throws in
        try await body(client)
      }
    }
  }

  private static func send(
    _ client: any TestClientProtocol, _ uri: String, _ method: HTTPRequest.Method = .get,
    _ headers: [String: String] = [:], body: String = ""
  ) async throws -> (status: Int, headers: HTTPFields, text: String) {
    var fields = HTTPFields()
    for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
    let response = try await client.execute(
      uri: uri, method: method, headers: fields, body: body.isEmpty ? nil : ByteBuffer(string: body))
    return (response.status.code, response.headers, String(buffer: response.body))
  }

  private static func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

  private static let insert = #"{"insert": "Row", "values": {"name": "a"}}"#

  @Test func eachAnswerIsStrict() async throws {
    try await withServer { client async throws in
      for uri in ["/api/stats", "/api/nothing", "/", "/api/fetch/Row?limit=x"] {
        let answer = try await Self.send(client, uri)
        #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'self'") == true)
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        #expect(HTTPField.Name("Referrer-Policy").flatMap { answer.headers[$0] } == "no-referrer")
        #expect(answer.headers[.accessControlAllowOrigin] == nil)
      }
    }
  }

  @Test func onlyNamedOriginsReadAnswersInTheirPages() async throws {
    try await withServer {
      $0.allowedOrigins = ["https://shop.example"]
    } _: { client async throws in
      let shared = try await Self.send(client, "/api/stats", .get, ["Origin": "https://shop.example"])
      #expect(shared.headers[.accessControlAllowOrigin] == "https://shop.example")
      let other = try await Self.send(client, "/api/stats", .get, ["Origin": "https://evil.example"])
      #expect(other.status == 200 && other.headers[.accessControlAllowOrigin] == nil)
      let asked = ["Origin": "https://shop.example", "Access-Control-Request-Method": "POST"]
      let preflight = try await Self.send(client, "/api/commits", .options, asked)
      #expect(preflight.status == 204)
      #expect(preflight.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
      let refused = asked.merging(["Origin": "https://evil.example"]) { $1 }
      #expect(try await Self.send(client, "/api/commits", .options, refused).status == 405)
    }
  }

  @Test func aTokenFileClosesTheServer() async throws {
    let path = try tokenFile()
    try await withServer {
      $0.tokenFile = path
    } _: { client async throws in
      let refused = try await Self.send(client, "/api/stats")
      #expect(refused.status == 401 && refused.headers[.wwwAuthenticate] == "Bearer")
      for wrong in ["Bearer x", "Basic \(Self.reader)", "Bearer", "Bearer \(Self.reader)x"] {
        #expect(try await Self.send(client, "/api/stats", .get, ["Authorization": wrong]).status == 401)
      }
      #expect(try await Self.send(client, "/api/stats", .get, Self.bearer(Self.reader)).status == 200)
      for open in ["/", "/health/live", "/health/ready"] {
        #expect(try await Self.send(client, open).status == 200, "\(open)")
      }
    }
  }

  @Test func onlyAWritersTokenWrites() async throws {
    let path = try tokenFile()
    try await withServer {
      $0.tokenFile = path
    } _: { client async throws in
      let json = ["Content-Type": "application/json"]
      @Sendable func post(_ more: [String: String]) async throws -> Int {
        let headers = json.merging(more) { $1 }
        return try await Self.send(client, "/api/commits", .post, headers, body: Self.insert).status
      }
      #expect(try await post([:]) == 401)
      #expect(try await post(Self.bearer(Self.reader)) == 403)
      #expect(try await post(Self.bearer(Self.writer)) == 201)
      // A page of another origin may not, even with a token.
      #expect(try await post(Self.bearer(Self.writer).merging(["Origin": "https://evil.example"]) { $1 }) == 403)
      #expect(try await post(Self.bearer(Self.writer).merging(["Origin": "http://localhost:8642"]) { $1 }) == 201)
    }
  }

  @Test func aServerThatReadsWritesNothing() async throws {
    try await withServer {
      $0.allowsWriting = false
    } _: { client async throws in
      let answer = try await Self.send(
        client, "/api/commits", .post, ["Content-Type": "application/json"], body: Self.insert)
      #expect(answer.status == 403)
    }
  }

  @Test func aSessionIsBegunByATokenAndNeedsItsOrigin() async throws {
    let path = try tokenFile()
    try await withServer {
      $0.tokenFile = path
    } _: { client async throws in
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      let own = form.merging(["Origin": "http://localhost:8642"]) { $1 }
      #expect(try await Self.send(client, "/login", .post, form, body: "token=\(Self.writer)").status == 403)
      #expect(try await Self.send(client, "/login", .post, own, body: "token=wrong").status == 401)
      #expect(try await Self.send(client, "/login", .post, own, body: "key=\(Self.writer)").status == 400)
      let answer = try await Self.send(client, "/login", .post, own, body: "token=\(Self.writer)")
      #expect(answer.status == 200)
      let set = try #require(answer.headers[.setCookie])
      #expect(set.contains("HttpOnly") && set.contains("SameSite=Strict") && set.contains("Path=/"))
      #expect(!set.contains("Secure"))
      let cookie = ["Cookie": String(set.prefix { $0 != ";" }), "Content-Type": "application/json"]
      #expect(try await Self.send(client, "/api/stats", .get, cookie).status == 200)
      // The cookie is sent by the browser itself, so the origin has to show whose page it is.
      for origin in [
        nil, "null", "https://localhost:8642", "http://localhost", "http://127.0.0.1", "http://localhost:8643",
        "http://evil.example",
      ] {
        let headers = origin.map { cookie.merging(["Origin": $0]) { $1 } } ?? cookie
        #expect(try await Self.send(client, "/api/commits", .post, headers, body: Self.insert).status == 403)
      }
      let mine = cookie.merging(["Origin": "http://localhost:8642"]) { $1 }
      #expect(try await Self.send(client, "/api/commits", .post, mine, body: Self.insert).status == 201)
      #expect(try await Self.send(client, "/logout", .post, mine).status == 200)
      #expect(try await Self.send(client, "/api/stats", .get, cookie).status == 401)
    }
  }

  @Test func triesToSignInAreLimitedForTheirAddressAlone() throws {
    let start = ContinuousClock.now
    let time = Locked(Duration.zero)
    let sessions = Sessions(TokenFile(token: Self.writer, name: "anna")) { start + time.withLock { $0 } }
    for _ in 0..<Sessions.triesPerMinute { try sessions.noteFailedTry(from: "10.0.0.1") }
    time.withLock { $0 = .seconds(59) }
    let problem = #expect(throws: Problem.self) { try sessions.noteFailedTry(from: "10.0.0.1") }
    #expect(problem?.status == .tooManyRequests && problem?.headers[.retryAfter] == "60")
    try sessions.noteFailedTry(from: "10.0.0.2")
    time.withLock { $0 = .seconds(61) }
    try sessions.noteFailedTry(from: "10.0.0.1")
  }

  @Test func aKnownTokenSignsInWhateverOthersTry() async throws {
    let path = try tokenFile()
    try await withServer {
      $0.tokenFile = path
    } _: { client async throws in
      let form = ["Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost:8642"]
      var statuses: [Int] = []
      for _ in 0..<12 { statuses.append(try await Self.send(client, "/login", .post, form, body: "token=x").status) }
      #expect(statuses == Array(repeating: 401, count: 10) + [429, 429])
      #expect(try await Self.send(client, "/login", .post, form, body: "token=\(Self.writer)").status == 200)
    }
  }

  @Test func whatIsOpenIsOpenWithAnyAuthorization() async throws {
    let path = try tokenFile()
    try await withServer {
      $0.tokenFile = path
    } _: { client async throws in
      for field in ["Basic YTpi", "Bearer wrong-token-0123456789"] {
        for open in ["/", "/page/page.js", "/page/session", "/health/live", "/health/ready"] {
          #expect(try await Self.send(client, open, .get, ["Authorization": field]).status == 200, "\(open) \(field)")
        }
        #expect(try await Self.send(client, "/api/stats", .get, ["Authorization": field]).status == 401)
      }
    }
  }

  @Test(arguments: ["recipes.example.com", "ftp://recipes.example.com", "https://", "https://a b", "https://a:x"])
  func anAddressThatNoRequestHasIsRefused(_ text: String) {
    var configuration = ServerConfiguration()
    configuration.publicURLs = [text]
    #expect(throws: ServerConfigurationError.self) { try configuration.check() }
    configuration.publicURLs = []
    configuration.allowedOrigins = [text]
    #expect(throws: ServerConfigurationError.self) { try configuration.check() }
  }

  @Test func anOriginIsSchemeHostAndPortAlone() throws {
    var configuration = ServerConfiguration()
    for text in ["*", "null", "https://app.example/", "https://app.example:443", "https://app.example/path"] {
      configuration.allowedOrigins = [text]
      #expect(throws: ServerConfigurationError.self, "\(text)") { try configuration.check() }
    }
    configuration.allowedOrigins = ["https://app.example", "http://[::1]:81", "http://127.0.0.1"]
    configuration.publicURLs = ["https://Recipes.example.com/", "http://[::1]"]
    try configuration.check()
    #expect(Origin("https://Recipes.example.com:443/x") == Origin("https://recipes.example.com"))
    #expect(Origin("http://[::1]")?.fullAuthority == "[::1]:80")
    #expect(Origin("http://a.example:81")?.fullAuthority == "a.example:81")
  }

  @Test func aServerWithTokensNamesItsStoreToThoseWhoMayReadIt() async throws {
    let path = try tokenFile("\(Self.reader) read ben\n")
    try await withTemporaryStore(RowStore.model) { store in
      let name = try #require(store.path.split(separator: "/").last)
      var configuration = ServerConfiguration()
      configuration.tokenFile = path
      try await DaybookServer(store: store, configuration: configuration).application.test(.router) { client in
        for token in [nil, "not-a-token-of-it-0123456789", Self.reader] {
          let fields = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
          let text = try await Self.send(client, "/page/session", .get, fields).text
          #expect(text.contains("\"\(name)\"") == (token == Self.reader), "\(token ?? "nobody"): \(text)")
        }
      }
    }
  }

  /// Nothing of a later commit is sent; and a stream with nothing to send ends, too.
  @Test(arguments: [true, false])
  func aStreamEndsWithItsTokenAndItsSession(isWritten: Bool) async throws {
    let path = try tokenFile("\(Self.reader) read ben\n\(Self.writer) write anna\nthird-token-0123456789 read cleo\n")
    try await withTemporaryStore(RowStore.model) { store in
      var configuration = ServerConfiguration(port: 0, allowsWriting: true)
      configuration.tokenFile = path
      let server = try DaybookServer(store: store, configuration: configuration)
      try await server.application.test(.live) { client in
        let port = try #require(client.port)
        let form = ["Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost:\(port)"]
        func cookie(_ token: String) async throws -> String {
          let set = try await Self.send(client, "/login", .post, form, body: "token=\(token)").headers[.setCookie]
          return String((set ?? "").prefix { $0 != ";" })
        }
        let (left, ended) = (try await cookie("third-token-0123456789"), try await cookie(Self.reader))
        let fields = ["Authorization: Bearer \(Self.reader)", "Cookie: \(ended)", "Cookie: \(left)"]
        let begun = Locked(0)
        try await withThrowingTaskGroup(of: String.self) { group in
          for path in ["/api/changes/Row", "/api/commits/stream"] {
            for field in fields {
              group.addTask {
                try await SocketStream.open(path, port: port, fields: "\(field)\r\nConnection: close\r\n") { stream in
                  _ = try await stream.read(through: "event: state")
                  begun.withLock { $0 += 1 }
                  return try await stream.readToEnd()
                }
              }
            }
          }
          for _ in 0..<6_000 where begun.withLock({ $0 }) < 6 { try await Task.sleep(for: .milliseconds(5)) }
          #expect(begun.withLock { $0 } == 6)
          #expect(try await Self.send(client, "/logout", .post, form.merging(["Cookie": left]) { $1 }).status == 200)
          _ = try tokenFile("\(Self.writer) write anna\n")
          if isWritten { try await store.write { _ = try $0.insert("Row", ["name": .string("secret")]) } }
          // Less than the 15 s after which a comment would find the end.
          for _ in 0..<2_000 where server.feeds.counts.streams > 0 { try await Task.sleep(for: .milliseconds(5)) }
          guard server.feeds.counts.streams == 0 else { throw Mismatch("\(server.feeds.counts) are left") }
          for try await rest in group { #expect(!rest.contains("event:"), "\(rest)") }
        }
      }
    }
  }

  @Test func theMachinesOfANetworkOfIPv6AreOneClient() throws {
    func machine(_ address: String) throws -> String {
      ServerRequest.machine(at: try SocketAddress(ipAddress: address, port: 1))
    }
    #expect(try machine("2001:db8:1:2::3") == machine("2001:db8:1:2:ffff:1::"))
    #expect(try machine("2001:db8:1:2::3") != machine("2001:db8:1:3::3"))
    #expect(try machine("::ffff:10.0.0.1") != machine("::ffff:10.0.0.2"))
    #expect(try machine("10.0.0.1") != machine("10.0.0.2"))
  }

  /// The token that a server makes has no author: each browser names one.
  @Test func aSessionOfTheTokenOfTheServerHasItsOwnName() async throws {
    try await withTemporaryStore(RowStore.model) { store in
      let server = try DaybookServer(store: store, configuration: ServerConfiguration(allowsWriting: true))
      let token = try #require(server.token)
      try await server.application.test(.router) { client in
        let form = ["Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost:8642"]
        for (name, author) in [
          ("&name=Ana+Mar%C3%ADa", "Ana María"), ("&name=Ben", "Ben"), ("&name=+", "local"), ("", "local"),
        ] {
          let answer = try await Self.send(client, "/login", .post, form, body: "token=\(token)\(name)")
          #expect(answer.status == 200 && answer.text.contains("\"name\": \"\(author)\""), "\(answer.text)")
          let cookie = String((answer.headers[.setCookie] ?? "").prefix { $0 != ";" })
          let headers = ["Cookie": cookie, "Origin": "http://localhost:8642", "Content-Type": "application/json"]
          let body = #"{"insert": "Row", "values": {"name": "a"}}"#
          #expect(try await Self.send(client, "/api/commits", .post, headers, body: body).status == 201)
          var log = try store.log(reversed: true, limit: 1)
          #expect(try log.next()?.author == author)
          #expect(try await Self.send(client, "/page/session", .get, headers).text.contains("\"choosesName\": true"))
        }
        // Undo takes back the author's own commit.
        #expect(try store.undo(.last(of: "Ana María")).map(\.targets.lowerBound) == [2])
        for name in ["a%0Ab", "a%1B", String(repeating: "a", count: 201)] {
          let answer = try await Self.send(client, "/login", .post, form, body: "token=\(token)&name=\(name)")
          #expect(answer.status == 400 && answer.text.contains("\"parameter\": \"name\""), "\(answer.text)")
        }
      }
    }
    let path = try tokenFile("\(Self.writer) write anna\n")
    try await withTemporaryStore(RowStore.model) { store in
      var configuration = ServerConfiguration(allowsWriting: true)
      configuration.tokenFile = path
      try await DaybookServer(store: store, configuration: configuration).application.test(.router) { client in
        let form = ["Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost:8642"]
        let answer = try await Self.send(client, "/login", .post, form, body: "token=\(Self.writer)&name=ben")
        #expect(answer.status == 403 && answer.text.contains("\"parameter\": \"name\""), "\(answer.text)")
        #expect(try await Self.send(client, "/page/session", .get).text.contains("\"choosesName\": false"))
      }
    }
  }

  @Test func aSessionLastsHalfADay() throws {
    let start = ContinuousClock.now
    let time = Locked(Duration.zero)
    let sessions = Sessions(TokenFile(token: Self.writer, name: "anna")) { start + time.withLock { $0 } }
    let id = try #require(try sessions.begin(with: Self.writer)).id
    time.withLock { $0 = .seconds(Sessions.lifeInSeconds - 1) }
    #expect(sessions.principal(of: id)?.name == "anna")
    time.withLock { $0 = .seconds(Sessions.lifeInSeconds + 1) }
    #expect(sessions.principal(of: id) == nil)
  }

  @Test func aTokenThatIsTakenOutEndsWithItsSessions() async throws {
    let path = try tokenFile()
    let tokens = try TokenFile(path: path)
    let sessions = Sessions(tokens)
    let session = try #require(try sessions.begin(with: Self.writer))
    #expect(sessions.principal(of: session.id) == Principal(name: "anna", role: .write))
    _ = try tokenFile("\(Self.reader) read ben\n")
    #expect(sessions.principal(of: session.id) == nil)
    #expect(tokens.entry(of: Self.writer) == nil && tokens.entry(of: Self.reader)?.principal.name == "ben")
    // A file that is wrong leaves the tokens as they were.
    _ = try tokenFile("nonsense\n")
    #expect(tokens.entry(of: Self.reader) != nil)
  }

  @Test(arguments: [("short write anna", 1), ("\(writer) admin anna", 1), ("# x\n\n\(writer) write", 3)])
  func aLineThatIsNoTokenIsNamed(text: String, line: Int) throws {
    let path = try tokenFile(text)
    let error = try #require(throws: ServerConfigurationError.self) { try TokenFile(path: path) }
    #expect(error.message.contains("Line \(line) "))
  }

  @Test func aTokenFileIsItsOwnersAlone() throws {
    let path = try tokenFile(permissions: 0o640)
    #expect(throws: ServerConfigurationError.self) { try TokenFile(path: path) }
    #expect(throws: ServerConfigurationError.self) { try TokenFile(path: directory.path("nothing")) }
  }

  @Test func anAddressThatOthersReachNeedsTokensAndEncryption() throws {
    var configuration = ServerConfiguration(host: "0.0.0.0")
    #expect(throws: ServerConfigurationError.self) { try configuration.check() }
    configuration.tokenFile = "tokens"
    #expect(throws: ServerConfigurationError.self) { try configuration.check() }
    configuration.transport = .behindProxy
    try configuration.check()
    for host in ["127.0.0.1", "127.1.2.3", "::1", "localhost"] { try ServerConfiguration(host: host).check() }
    #expect(throws: ServerConfigurationError.self) { try ServerConfiguration(host: "127.evil.example").check() }
  }

  @Test func aNameThatIsNotThisServersIsMisdirected() async throws {
    try await withTemporaryStore(RowStore.model) { store in
      var configuration = ServerConfiguration(port: 0)
      configuration.publicURLs = ["https://rows.example.com"]
      let server = try DaybookServer(store: store, configuration: configuration)
      try await server.application.test(.live) { client async throws in
        let port = try #require(client.port)
        let cases = [
          ("localhost", 200), ("LOCALHOST:\(port)", 200), ("127.0.0.1:\(port)", 200), ("rows.example.com", 200),
          ("rows.example.com:443", 200), ("rows.example.com:80", 421), ("evil.example", 421),
          ("localhost.evil.example", 421), ("127.0.0.1:1", 421), ("", 400),
        ]
        for (host, status) in cases {
          let text = "GET /health/live HTTP/1.1\r\nHost: \(host)\r\nX-Forwarded-Host: localhost\r\n\r\n"
          let head = try await RawRequest.head(of: text, port: port)
          #expect(
            head.hasPrefix("HTTP/1.1 \(status)") || status == 400 && !head.hasPrefix("HTTP/1.1 200"), "\(host): \(head)"
          )
        }
      }
    }
  }

  @Test func requestsThatTwoReadersReadDifferentlyAreRefused() async throws {
    try await withTemporaryStore(RowStore.model) { store in
      try await DaybookServer(store: store, configuration: ServerConfiguration(port: 0)).application.test(.live) {
        client in
        let port = try #require(client.port)
        let cases = [
          "GET /health/live HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n",
          "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
          "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          "GET /health/live HTTP/1.1\r\nHost : localhost\r\n\r\n", "GET /health/live\r\n\r\n", "\u{0}\u{1}\r\n\r\n",
        ]
        for text in cases {
          let head = try await RawRequest.head(of: text, port: port)
          #expect(!head.hasPrefix("HTTP/1.1 200"), "\(text): \(head)")
        }
        let alive = try await RawRequest.head(of: "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port)
        #expect(alive.hasPrefix("HTTP/1.1 200"))
      }
    }
  }
}

#endif
