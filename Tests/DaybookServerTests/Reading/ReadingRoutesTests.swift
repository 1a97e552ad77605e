#if Server

import Daybook
import DaybookModel
import DaybookTestSupport
import DaybookTools
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import DaybookServer

@Suite(.hangLimit) struct ReadingRoutesTests {
  /// An answer as a client reads it.
  private struct Answer {
    let status: Int
    let headers: HTTPFields
    let text: String

    var json: JSONValue { get throws { try JSONValue(parsing: text) } }
  }

  private static func get(
    _ client: any TestClientProtocol, _ uri: String, method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:]
  ) async throws -> Answer {
    let response = try await client.execute(uri: uri, method: method, headers: headers)
    return Answer(status: response.status.code, headers: response.headers, text: String(buffer: response.body))
  }

  /// Runs a test on a server with some random commits.
  private static func withServer(
    seed: UInt64 = 7, commits: Int = 20, _ body: @Sendable (Store, any TestClientProtocol) async throws -> Void
  ) async throws {
    try await withTemporaryStore(RowStore.model) { store in
      var rows = RowStore(SeededRandom(seed: seed))
      for _ in 0..<commits { try rows.write(to: store) }
      try await DaybookServer(store: store).application.test(.router) { try await body(store, $0) }
    }
  }

  private static func insert(_ name: Value, in store: Store) throws -> ObjectID {
    try store.write { try $0.insert("Row", ["name": name]) }
  }

  @Test func theFiguresOfAStoreAreThoseOfTheCommand() async throws {
    try await Self.withServer { store, client in
      let answer = try await Self.get(client, "/api/stats")
      #expect(try answer.status == 200 && answer.text == store.statistics().json.text)
      #expect(answer.headers[.eTag] == nil)
    }
  }

  @Test func aResultIsTheOneOfTheCommandWithTheNumberOfAllRows() async throws {
    for seed in Seeds.list(2) {
      try await Self.withServer(seed: seed) { store, client in
        var random = SeededRandom(seed: seed)
        let head = Int(try store.position.number)
        for _ in 0..<30 {
          let (offset, limit) = (random.number(0...5), random.number(0...8))
          let at = random.number(1...head)
          let uri =
            "/api/fetch/Row?sort=number&sort=name:desc&section=group&limit=\(limit)&offset=\(offset)&counts=true"
          let answer = try await Self.get(client, "\(uri)&at=\(at)")
          var request = Request<StoredObject>(
            entity: "Row", sort: [try SortTerm(parsing: "number"), try SortTerm(parsing: "name:desc")],
            section: try SectionKey(parsing: "group"),
            limit: limit, offset: offset)
          let expected: (printed: String, all: Results<StoredObject>) = try store.read { reader in
            try reader.read(at: Position(UInt64(at))) { past in
              var bytes: [UInt8] = []
              var writer = FetchWriter(past.resolvedModel)
              try writer.write(request.fetch, past) { bytes += $0 }
              (request.limit, request.offset) = (nil, 0)
              return (String(decoding: bytes, as: UTF8.self), try past.fetch(request))
            }
          }
          #expect(answer.text.hasPrefix(expected.printed.dropLast()), "seed \(seed): \(answer.text)")
          let json = try answer.json
          #expect(json["total"]?.integerValue == Int64(expected.all.count))
          let counts = (json["counts"]?.elements ?? []).map {
            ($0["name"]?.stringValue ?? "?", Int($0["count"]?.integerValue ?? -1))
          }
          #expect(counts.map(\.0) == expected.all.sections.map(\.name))
          #expect(counts.map(\.1) == expected.all.sections.map(\.rows.count))
        }
      }
    }
  }

  @Test func anAnswerHasATagUntilTheStoreChanges() async throws {
    try await Self.withServer { store, client in
      let head = try store.position
      let first = try await Self.get(client, "/api/fetch/Row")
      let tag = try #require(first.headers[.eTag])
      #expect(try tag == "\"\(store.read { try $0.cursor(at: head) })\"")
      #expect(first.headers[.cacheControl] == "no-cache")
      for known in [tag, "W/\(tag)", "\"x\" , \(tag)", "*"] {
        let again = try await Self.get(client, "/api/fetch/Row", [.ifNoneMatch: known])
        #expect(again.status == 304 && again.text.isEmpty && again.headers[.eTag] == tag)
      }
      let past = try await Self.get(client, "/api/fetch/Row?at=3")
      #expect(past.headers[.eTag]?.hasPrefix("\"3-") == true)
      #expect(past.headers[.cacheControl] == "private, max-age=3600")
      #expect(try await Self.get(client, "/api/fetch/Row?at=head").headers[.cacheControl] == "no-cache")
      try await store.write { _ = try $0.insert("Row", ["name": "new"]) }
      #expect(try await Self.get(client, "/api/fetch/Row", [.ifNoneMatch: tag]).status == 200)
    }
  }

  @Test func onlyAnswersThatFollowFromAPositionHaveATag() async throws {
    var options = StoreOptions()
    options.projections = [ActivityProjection()]
    try await withTemporaryStore(RowStore.model, options: options) { store in
      let id = try Self.insert("a", in: store)
      let tag = "\"\(try store.read { try $0.cursor(at: $0.position) })\""
      try await DaybookServer(store: store).application.test(.router) { client in
        for uri in [
          "/api/model", "/api/fetch/Row", "/api/objects/\(id)", "/api/objects/\(id)/log", "/api/objects/\(id)/blame",
          "/api/commits", "/api/diff/Row?from=1", "/api/activity", "/api/activity?sums=true", "/api/histogram",
        ] {
          let answer = try await Self.get(client, uri)
          #expect(answer.headers[.eTag] == tag && answer.headers[.cacheControl] == "no-cache", "\(uri)")
          #expect(try await Self.get(client, uri, [.ifNoneMatch: tag]).status == 304, "\(uri)")
        }
        for uri in ["/api/stats", "/health/live", "/health/ready"] {
          let answer = try await Self.get(client, uri)
          #expect(answer.headers[.eTag] == nil && answer.headers[.cacheControl]?.hasPrefix("no-") == true, "\(uri)")
        }
      }
    }
  }

  @Test func pagesOfCommitsLeadThroughTheJournal() async throws {
    try await Self.withServer { store, client in
      for isReversed in [false, true] {
        var positions: [Int64] = []
        var uri: String? = "/api/commits?limit=6&reverse=\(isReversed)"
        while let present = uri {
          let json = try await Self.get(client, present).json
          positions += (json["commits"]?.elements ?? []).compactMap { $0["position"]?.integerValue }
          uri = json["next"]?.integerValue.map {
            "/api/commits?limit=6&reverse=\(isReversed)&\(isReversed ? "to" : "from")=\($0)"
          }
        }
        let all = (1...Int64(try store.position.number)).map { $0 }
        #expect(positions == (isReversed ? all.reversed() : all))
      }
    }
  }

  @Test func anObjectIsReadWithItsHistory() async throws {
    try await Self.withServer { store, client in
      let row = try #require(try store.fetch(Request(entity: "Row")).rows.first)
      let object = try await Self.get(client, "/api/objects/\(row.id)")
      #expect(try object.json["id"]?.stringValue == "\(row.id)" && object.json["entity"]?.stringValue == "Row")
      // A part of the id names it, too.
      let part = "\(row.id)".suffix(8)
      #expect(try await Self.get(client, "/api/objects/\(part)").text == object.text)
      #expect(try await Self.get(client, "/api/objects/\(row.id)/blame").text == store.blame(of: row.id).json.text)
      var (log, lines) = (try store.history(of: row.id), [UInt8]())
      while try log.writeNext(.log, to: &lines) {}
      #expect(try await Self.get(client, "/api/objects/\(row.id)/log").text == String(decoding: lines, as: UTF8.self))
    }
  }

  @Test func aDifferenceIsTheOneOfTheCommand() async throws {
    try await Self.withServer { store, client in
      let request = Request<StoredObject>(
        entity: "Row", sort: [try SortTerm(parsing: "name")], section: try SectionKey(parsing: "group"))
      for (from, to) in [(1, 9), (9, 1), (0, 20), (20, 20)] {
        let change = try store.difference(of: request, from: Position(UInt64(from)), to: Position(UInt64(to)))
        let answer = try await Self.get(client, "/api/diff/Row?sort=name&section=group&from=\(from)&to=\(to)")
        #expect(answer.text == change.json.text)
      }
    }
  }

  @Test func whatARequestShowsAndItsOrdersAreParameters() async throws {
    try await withTemporaryStore(RowStore.model) { store in
      for (name, group) in [("a", "x"), ("9", nil), ("b", "y, z")] as [(Value, Value)] {
        try await store.write { _ = try $0.insert("Row", ["name": name, "group": group]) }
      }
      try await DaybookServer(store: store).application.test(.router) { client in
        func names(_ query: String) async throws -> [String] {
          let json = try await Self.get(client, "/api/fetch/Row?\(query)").json
          return (json["sections"]?.elements ?? []).flatMap { $0["objects"]?.elements ?? [] }.compactMap {
            $0["values"]?["name"]?.stringValue
          }
        }
        #expect(try await names("sort=group") == ["9", "a", "b"])
        #expect(try await names("sort=group:nils-last") == ["a", "b", "9"])
        #expect(try await names("section=group:nils-last") == ["a", "b", "9"])
        #expect(try await names("section=name.initial:other-last") == ["a", "b", "9"])
        #expect(try await names("section=group&sectionOrder=%22y,+z%22,x") == ["b", "a", "9"])
        #expect(try await names("section=group&sectionOrder=%22y,+z%22&sectionOrder=") == ["b", "9", "a"])
        let shown = try await Self.get(client, "/api/fetch/Row?sort=name&limit=1&show=group,%20number&show=name")
        #expect(
          try shown.json["sections"]?[0]?["objects"]?[0]?["shown"]?.text
            == #"{"group": null, "number": 0, "name": "9"}"#)
        let plain = try await Self.get(client, "/api/fetch/Row")
        #expect(plain.status == 200 && !plain.text.contains("shown"))
        let change = try await Self.get(client, "/api/diff/Row?show=number&from=0")
        #expect(try change.json["rows"]?.elements?.count == 3)
      }
    }
  }

  @Test func variablesOfAFilterAreParameters() async throws {
    try await Self.withServer { store, client in
      let id = try Self.insert("it's \"50 %\"", in: store)
      let uri = "/api/fetch/Row?where=name,%20group%20CONTAINS%5Bc%5D%20$text&variable=text%3D"
      let answer = try await Self.get(client, uri + "IT'S%20%2250+%25")
      let rows = try answer.json["sections"]?.elements?.first?["objects"]?.elements
      #expect(rows?.map { $0["id"]?.stringValue } == [id.description], "\(answer.text)")
      let log = try await Self.get(
        client, "/api/commits?where=event.name%20BEGINSWITH%20$text&variable=text=it's")
      #expect(log.text.split(separator: "\n").count == 1, "\(log.text)")
    }
  }

  @Test(arguments: [
    ("/api/stats?colour=red", 400, "colour"), ("/api/fetch/Row?limit=10001", 400, "limit"),
    ("/api/fetch/Row?limit=-1", 400, "limit"), ("/api/fetch/Row?limit=1&limit=2", 400, "limit"),
    ("/api/fetch/Row?where=name%20%3D%3D", 400, "where"),
    ("/api/fetch/Row?where=COUNT(name%20WHERE%20id%3D%3Dnil)%3E1", 400, "\"where\", \"column\": 7"),
    ("/api/fetch/Row?where=ANY%20name%20WHERE%20id%3D%3Dnil", 400, "\"where\", \"column\": 16"),
    ("/api/fetch/Row?where=1%20%3D%3D%20colour", 400, "\"where\", \"column\": 6"),
    ("/api/fetch/Row?show=name,colour", 400, "\"parameter\": \"show\""),
    ("/api/fetch/Row?show=name,%20a:b", 400, "\"show\", \"column\": 8"),
    ("/api/fetch/Row?show=", 400, "a name is missing"),
    ("/api/fetch/Row?sort=name:nils", 400, "\"sort\", \"column\": 5"),
    ("/api/fetch/Row?section=name:other-last", 400, "\"parameter\": \"section\""),
    ("/api/fetch/Row?sectionOrder=a", 400, "\"parameter\": \"sectionOrder\""),
    ("/api/fetch/Row?section=name&sectionOrder=a,%22b", 400, "\"sectionOrder\", \"column\": 3"),
    ("/api/fetch/Row?sort=colour", 400, "\"parameter\": \"sort\""), ("/api/fetch/Row?at=yesterday", 400, "at"),
    ("/api/fetch/Row?counts=1", 400, "counts"), ("/api/fetch/Row?where=%zz", 400, "percent"),
    ("/api/fetch/Row?where=name%20%3D%3D%20$text", 400, "\"where\", \"column\": 9"),
    ("/api/fetch/Row?variable=text%3Dx", 400, "no filter"), ("/api/commits?variable=text%3Dx", 400, "no filter"),
    ("/api/fetch/Row?where=name%20%3D%3D%20$text&variable=text", 400, "\"parameter\": \"variable\""),
    ("/api/fetch/Row?where=%ff", 400, "UTF-8"), ("/api/fetch/Row?at=99", 404, "99"), ("/api/fetch/Row?at=0", 404, "0"),
    ("/api/fetch/Bed", 404, "Bed"), ("/api/objects/0190163d-8694-739b-aea5-966c26f8ad91", 404, "0190163d"),
    ("/api/objects/%2e%2e%2fetc", 404, "etc"), ("/api/nothing", 404, "openapi"), ("/api/diff/Row", 400, "from"),
    ("/api/commits?kind=eaten", 400, "kind"), ("/api/commits?since=noon", 400, "since"),
    ("/api/tree?depth=0", 400, "depth"),
  ])
  func aWrongRequestIsAProblemWithItsPlace(uri: String, status: Int, part: String) async throws {
    try await Self.withServer { _, client in
      let answer = try await Self.get(client, uri)
      #expect(answer.status == status, "\(answer.text)")
      #expect(answer.headers[.contentType] == "application/problem+json")
      #expect(answer.text.contains(part), "\(answer.text)")
      #expect(try answer.json["status"]?.integerValue == Int64(status))
    }
  }

  @Test func anotherMethodIsRefusedWithTheOnesThatThereAre() async throws {
    try await Self.withServer { _, client in
      let answer = try await Self.get(client, "/api/fetch/Row", method: .put)
      #expect(answer.status == 405 && answer.headers[.allow] == "GET, HEAD")
      let head = try await Self.get(client, "/api/fetch/Row", method: .head)
      #expect(head.status == 200 && head.text.isEmpty && head.headers[.eTag] != nil)
    }
  }

  @Test func theDescriptionNamesEachOperation() async throws {
    try await Self.withServer { _, client in
      let json = try await Self.get(client, "/openapi.json").json
      #expect(json["openapi"]?.stringValue == "3.1.0")
      let paths = json["paths"]?.members?.map(\.key) ?? []
      for path in ["/api/fetch/{entity}", "/api/changes/{entity}", "/api/commits", "/openapi.json", "/login"] {
        #expect(paths.contains(path))
      }
      #expect(json["paths"]?["/api/commits"]?.members?.map(\.key) == ["get", "post"])
      for (path, method, field) in [
        ("/api/fetch/{entity}", "get", "If-None-Match"), ("/api/changes/{entity}", "get", "Last-Event-ID"),
        ("/api/changes", "get", "Last-Event-ID"), ("/api/commits/stream", "get", "Last-Event-ID"),
        ("/api/tree/stream", "get", "Last-Event-ID"), ("/api/commits", "post", "Idempotency-Key"),
        ("/api/revert", "post", "Idempotency-Key"), ("/api/undo", "post", "Idempotency-Key"),
        ("/api/redo", "post", "Idempotency-Key"),
      ] {
        let parameters = json["paths"]?[path]?[method]?["parameters"]?.elements ?? []
        let places = parameters.filter { $0["name"]?.stringValue == field }.map { $0["in"]?.stringValue }
        #expect(places == ["header"], "\(method) \(path)")
      }
    }
  }

  @Test func randomAddressesEndInAnAnswer() async throws {
    for seed in Seeds.list(2) {
      try await Self.withServer { _, client in
        var random = SeededRandom(seed: seed)
        let starts = [
          "/api/fetch/Row?where=number+%3E+3&sort=name&limit=3", "/api/commits?from=2&kind=set&author=a",
          "/api/objects/0190163d/blame?at=3", "/api/tree?depth=3", "/api/diff/Row?from=1&to=head",
        ]
        let alphabet = Array("abz019%&=?/+;:.-_~(){}[]\"'<>@ü日".utf8)
        for _ in 0..<300 {
          var bytes = Array(random.pick(starts).utf8)
          for _ in 0..<random.number(1...4) {
            bytes.insert(random.pick(alphabet), at: random.number(1...bytes.count))
          }
          let uri = String(decoding: bytes, as: UTF8.self)
          let answer = try await Self.get(client, uri)
          #expect([200, 304, 400, 404].contains(answer.status), "seed \(seed): \(uri) \(answer)")
        }
      }
    }
  }

  /// What is not there is reported to every client, whatever it has (RFC 9110, 13.2.1).
  @Test(arguments: [
    "/api/fetch/Nope", "/api/fetch/Row?where=nope%20%3D%3D%201", "/api/fetch/Row?sort=nope",
    "/api/fetch/Row?timezone=Mars", "/api/fetch/Row?at=99", "/api/objects/00000000-0000-4000-8000-000000000001",
    "/api/objects/00000000-0000-4000-8000-000000000001/log", "/api/objects/00000000-0000-4000-8000-000000000001/blame",
    "/api/diff/Nope?from=1", "/api/diff/Row?from=99", "/api/tree?root=00000000-0000-4000-8000-000000000001",
    "/api/commits?entity=Nope", "/api/commits?from=x", "/api/model?at=99",
  ])
  func aTagDoesNotHideWhatIsWrong(_ uri: String) async throws {
    try await withTemporaryStore(RowStore.model) { store in
      try await store.write { _ = try $0.insert("Row", ["name": "a"]) }
      try await DaybookServer(store: store).application.test(.router) { client in
        let tag = try await client.execute(uri: "/api/model", method: .get).headers[.eTag] ?? ""
        let plain = try await client.execute(uri: uri, method: .get).status
        #expect(plain.code >= 400, "\(uri)")
        for condition in [tag, "*"] {
          let answer = try await client.execute(uri: uri, method: .get, headers: [.ifNoneMatch: condition])
          #expect(answer.status == plain, "\(uri) with \(condition)")
        }
      }
    }
  }

  @Test func theFaultOfASortTermHasItsColumnAndOneLine() async throws {
    try await withTemporaryStore(RowStore.model) { store in
      try await DaybookServer(store: store).application.test(.router) { client in
        for (parameter, value) in [("sort", "name:bogus"), ("section", "a%20b"), ("where", "name%20%3D")] {
          let answer = try await client.execute(uri: "/api/fetch/Row?\(parameter)=\(value)", method: .get)
          let json = try JSONValue(parsing: String(buffer: answer.body))
          #expect(json["parameter"]?.stringValue == parameter && json["column"]?.integerValue != nil, "\(json.text)")
          #expect(json["detail"]?.stringValue?.contains("\n") == false, "\(json.text)")
        }
      }
    }
  }

  @Test func theLogSaysWhatTheClientIsNotTold() async throws {
    try await withTemporaryStore(RowStore.model) { store in
      let pipe = Pipe()
      let log = QueuedLog(descriptor: pipe.fileHandleForWriting.fileDescriptor)
      var mount = StoreMount(store, at: "/a")
      mount.routes = [
        Route(method: .get, path: "/fail", summary: "") { _ in
          throw StoreError(.readOnly, "The store /home/anna/recipes.daybook is mounted read-only.")
        }
      ]
      let logger = Logger(label: "test") { log.handler(label: $0) }
      let server = try DaybookServer(
        mounting: [mount], configuration: ServerConfiguration(port: 0), files: [:], logger: logger)
      let answer = try await server.application.test(.live) { client async throws in
        try await RawRequest.answer(
          to: "GET /a/fail HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", port: try #require(client.port))
      }
      log.finish(within: 30)
      try pipe.fileHandleForWriting.close()
      let lines = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 403") && !answer.contains("anna"), "\(answer)")
      #expect(lines.contains(" error test:") && lines.contains("/home/anna/recipes.daybook"), "\(lines)")
    }
  }

  /// The codes whose messages are about the store, and not about the request.
  @Test(arguments: [
    StoreError.Code.busy, .closed, .damaged, .displaced, .expired, .full, .inputOutput, .newerFormat,
    .notAStore, .projectionStopped, .readOnly, .timedOut, .unavailable, .unknownOutcome,
  ])
  func whatIsWrongWithTheStoreNamesNoFiles(_ code: StoreError.Code) throws {
    let error = StoreError(code, "The store /home/anna/recipes.daybook cannot be written.")
    for place in [Problem.Place.url, .body] {
      let problem = try #require(Problem.translating(error, in: place))
      #expect(problem.status.code == 403 || problem.status.code >= 500)
      #expect(!problem.json.text.contains("anna"))
      #expect(problem.cause?.contains("/home/anna") == true)
    }
  }
}

#endif
