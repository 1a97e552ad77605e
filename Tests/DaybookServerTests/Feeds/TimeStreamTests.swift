#if Server

import Daybook
import DaybookTestSupport
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

/// Streams of requests that name the present time.
@Suite(.hangLimit) struct TimeStreamTests {
  private static let path = "/api/changes/Dish?where=createdAt%20%3C%20now%20-%201s"

  @Test(arguments: ["", "&everyCommit=true"])
  func `a stream moves when the moment comes, and continues from its id`(everyCommit: String) async throws {
    try await withFeeds { store, client in
      let id = try await store.write { try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      let head = try store.position
      let events = try await client.events(Self.path + "\(everyCommit)&from=\(head)&count=1")
      #expect(events.map(\.name) == ["difference"])
      let event = try #require(events.first)
      #expect(event.json["from"]?.integerValue == Int64(head.number))
      #expect(event.json["to"]?.integerValue == Int64(head.number))
      #expect(event.json["causes"]?.text == "{\"\(id)\": [\"time\"]}")
      #expect(event.json["total"]?.integerValue == 1)
      #expect(event.json["objects"]?["\(id)"]?["id"]?.stringValue == "\(id)")
      let cursor = try #require(event.id.flatMap { FeedCursor($0) })
      #expect(cursor.position == head && cursor.time != nil && cursor.hash != nil)
      try await store.write { try $0.set(id, ["rank": 2]) }
      let resumed = try await client.events(Self.path + "\(everyCommit)&from=\(cursor)&count=1")
      #expect(resumed.map(\.name) == ["difference"])
      #expect(resumed.first?.json["rows"]?[0]?["change"]?.stringValue == "update")
    }
  }

  @Test func `a stream that begins with the state goes on from the time of the state`() async throws {
    try await withFeeds { store, client in
      try await store.write { _ = try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      let events = try await client.events(Self.path + "&count=1")
      #expect(events.map(\.name) == ["state", "difference"])
      #expect(events[0].json["total"]?.integerValue == 0)
      #expect(events[1].json["rows"]?.elements?.count == 1)
      let timed = events.filter { $0.id?.contains("-T") ?? false }
      #expect(timed.count == 2)
    }
  }

  @Test func `an answer of the present has no tag, and one of a position has`() async throws {
    try await withFeeds { store, client in
      let path = "/api/fetch/Dish?where=createdAt%20%3C%20now"
      for (query, isTagged) in [("", false), ("&at=head", true), ("&at=1", true)] {
        let tag = try await client.execute(uri: path + query, method: .get).headers[.eTag]
        #expect((tag != nil) == isTagged, "\(query)")
      }
      let fault = try await client.execute(uri: "\(path)%20%2B%202", method: .get)
      #expect(fault.status == .badRequest && String(buffer: fault.body).contains("a unit"))
      let cursor = try await client.execute(uri: Self.path + "&from=1-T", method: .get)
      #expect(cursor.status == .badRequest)
    }
  }
}

#endif
