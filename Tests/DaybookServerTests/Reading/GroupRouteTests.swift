#if Server

import Daybook
import DaybookModel
import DaybookTestSupport
import DaybookTools
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

/// Grouped requests over HTTP: fetched, compared and followed.
@Suite("Groups over HTTP", .hangLimit) struct GroupRouteTests {
  private static let query = "group=kind&show=count&show=sum:rank"

  private static func withDishes(
    _ body: @escaping @Sendable (Store, _ ids: [ObjectID], FeedClient) async throws -> Void
  ) async throws {
    try await withFeeds { store, client in
      let ids = try await store.write { tx in
        [
          try tx.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]),
          try tx.insert("Dish", ["name": "Pie", "kind": "a", "rank": 2]),
          try tx.insert("Dish", ["name": "Soup", "kind": "b", "rank": 5]),
        ]
      }
      try await body(store, ids, client)
    }
  }

  private static func json(_ client: FeedClient, _ uri: String, status: Int = 200) async throws -> JSONValue {
    let response = try await client.execute(uri: uri, method: .get)
    let text = String(buffer: response.body)
    #expect(response.status.code == status, "\(uri): \(text)")
    return try JSONValue(parsing: text)
  }

  @Test("Groups have their keys and values, and the total counts groups")
  func fetch() async throws {
    try await Self.withDishes { _, _, client in
      let json = try await Self.json(
        client, "/api/fetch/Dish?\(Self.query)&sort=sum:rank:desc&limit=1&counts=true&section=kind")
      #expect(
        json["sections"]?.text
          == #"[{"name": "a", "objects": [{"key": {"kind": "a"}, "values": {"count": 2, "sum:rank": 3}}]}]"#)
      #expect(json["total"]?.integerValue == 2)
      #expect(json["counts"]?.text == #"[{"name": "a", "count": 1}, {"name": "b", "count": 1}]"#)
      let named = try await Self.json(
        client, "/api/fetch/Dish?group=kind&show=n%20%3D%20count&having=kind%20%3D%3D%20%24kind&variable=kind=b")
      #expect(named["sections"]?[0]?["objects"]?.text == #"[{"key": {"kind": "b"}, "values": {"n": 1}}]"#)
      let one = try await Self.json(client, "/api/fetch/Dish?group=&where=rank%20%3E%209")
      #expect(one["sections"]?.text == #"[{"name": "", "objects": [{"key": {}, "values": {"count": 0}}]}]"#)
      let first = try await Self.json(client, "/api/fetch/Dish?group=&order=rank:desc&show=first:name")
      #expect(first["sections"]?[0]?["objects"]?[0]?["values"]?.text == #"{"first:name": "Soup"}"#)
    }
  }

  @Test("Differences and streams name groups by their keys, with the new groups as objects")
  func changes() async throws {
    try await Self.withDishes { store, ids, client in
      let start = try store.position
      try await store.write { try $0.set(ids[2], ["kind": "a"]) }
      let diff = try await Self.json(client, "/api/diff/Dish?\(Self.query)&from=\(start)")
      #expect(
        diff["rows"]?.text == """
          [{"change": "delete", "id": ["b"], "from": [0, 1]}, \
          {"change": "update", "id": ["a"], "from": [0, 0], "to": [0, 0]}]
          """)
      #expect(diff["causes"]?.text == #"{"[\"b\"]": [\#(start.number + 1)], "[\"a\"]": [\#(start.number + 1)]}"#)
      let events = try await client.events("/api/changes/Dish?\(Self.query)&from=\(start)&count=1")
      #expect(events.map(\.name) == ["difference"])
      #expect(events[0].difference.text == diff.text)
      #expect(events[0].json["total"]?.integerValue == 1)
      #expect(
        events[0].json["objects"]?.text
          == #"{"[\"a\"]": {"key": {"kind": "a"}, "values": {"count": 3, "sum:rank": 8}}}"#)
    }
  }

  @Test("A stream begins with the state of the groups, and follows them beside a list of objects")
  func states() async throws {
    try await Self.withDishes { store, ids, client in
      let state = try await client.events("/api/changes/Dish?\(Self.query)&count=0")
      #expect(state.map(\.name) == ["state"])
      #expect(state[0].json["sections"]?[0]?["objects"]?[1]?["key"]?.text == #"{"kind": "b"}"#)
      let start = try store.position
      try await store.write { try $0.set(ids[0], ["rank": 4]) }
      let follow = ["Dish%3Fgroup%3Dkind%26show%3Dsum%3Arank", "Dish%3Fsort%3Dname"].map { "follow=\($0)" }
      let events = try await client.events("/api/changes?\(follow.joined(separator: "&"))&from=\(start)&count=2")
      #expect(events.map { $0.json["request"]?.integerValue } == [0, 1])
      #expect(events[0].json["rows"]?[0]?["id"]?.text == #"["a"]"#)
      #expect(events[1].json["rows"]?[0]?["id"]?.stringValue == "\(ids[0])")
    }
  }

  @Test("Random commits: each difference of a stream is the one that diff prints, and its groups are those of a fetch")
  func random() async throws {
    try await withFeeds { store, client in
      var (ids, random) = ([ObjectID](), SeededRandom(seed: Seeds.one))
      let start = try store.position
      for _ in 0..<40 { try FeedTestModel.write(store, &ids, &random) }
      let query = "group=kind&show=count,sum:rank,max:name&sort=count:desc&everyCommit=true"
      var present = start
      let events = try await client.events("/api/changes/Dish?\(query)&from=\(start)&count=20")
      #expect(!events.isEmpty, "seed \(random.seed)")
      for event in events {
        let to = try #require(event.position)
        let diff = try await Self.json(
          client,
          "/api/diff/Dish?group=kind&show=count,sum:rank,max:name&sort=count:desc&limit=100&from=\(present)&to=\(to)")
        #expect(event.difference.text == diff.text, "seed \(random.seed)")
        let whole = try await Self.json(
          client, "/api/fetch/Dish?group=kind&show=count,sum:rank,max:name&sort=count:desc&at=\(to)")
        let groups = (whole["sections"]?[0]?["objects"]?.elements ?? []).map(\.text)
        for object in event.json["objects"]?.members ?? [] { #expect(groups.contains(object.value.text), "\(object)") }
        present = to
      }
    }
  }

  @Test(
    "What cannot be grouped is refused with its parameter and column",
    arguments: [
      ("group=kind&group=name&group=rank&group=createdAt&group=changedAt", "group", 1), ("group=knd", "group", 1),
      ("group=kind&group=kind", "group", 1), ("group=kind&show=count,sum:name", "show", 7),
      ("group=kind&show=median:rank", "show", 1), ("group=kind&show=sum:rnk", "show", 1),
      ("group=kind&having=total%20%3E%203", "having", 1), ("group=kind&having=count%20%3E", "having", 8),
      ("group=kind&sort=rank", "sort", nil), ("group=kind&order=count", "order", nil),
      ("group=kind&section=rank", "section", nil), ("having=count%20%3E%203", "having", nil),
      ("order=rank", "order", nil),
    ] as [(String, String, Int?)])
  func refusals(_ query: String, _ parameter: String, _ column: Int?) async throws {
    try await Self.withDishes { _, _, client in
      for uri in ["/api/fetch/Dish?\(query)", "/api/diff/Dish?from=0&\(query)", "/api/changes/Dish?\(query)"] {
        let problem = try await Self.json(client, uri, status: 400)
        #expect(problem["parameter"]?.stringValue == parameter, "\(problem.text)")
        #expect(problem["column"]?.integerValue.map(Int.init) == column, "\(problem.text)")
      }
    }
  }

  @Test("A sum beyond its type is a problem that names the group and the value")
  func overflow() async throws {
    try await Self.withDishes { store, ids, client in
      try await store.write { try $0.set(ids[0], ["rank": .integer(.max)]) }
      let problem = try await Self.json(client, "/api/fetch/Dish?\(Self.query)", status: 400)
      #expect(problem["detail"]?.stringValue?.contains("sum:rank") == true, "\(problem.text)")
    }
  }
}

#endif
