#if Server

import Daybook
import DaybookTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

/// An answer as tests read it.
private struct DerivedAnswer {
  let status: Int
  let headers: HTTPFields
  let text: String
}

private extension TestClientProtocol {
  func answer(_ uri: String, _ headers: HTTPFields = [:]) async throws -> DerivedAnswer {
    let response = try await execute(uri: uri, method: .get, headers: headers)
    return DerivedAnswer(
      status: response.status.code, headers: response.headers, text: String(buffer: response.body))
  }

  func events(_ uri: String, lastEventID: String? = nil) async throws -> [ReceivedEvent] {
    var headers = HTTPFields()
    if let lastEventID, let name = HTTPField.Name("Last-Event-ID") { headers[name] = lastEventID }
    let answer = try await answer(uri, headers)
    guard answer.status == 200 else { throw Mismatch("\(uri): \(answer.text)") }
    return try ReceivedEvent.all(in: answer.text)
  }
}

/// Derived entities over HTTP: answers, tags and streams.
@Suite(.hangLimit) struct DerivedRoutesTests {
  /// The number of rows of each group.
  private struct GroupCounts: Projection {
    let name = "group-counts"
    var version = 1
    /// What each row counts.
    var step: Int64 = 1
    let entities = [
      DerivedEntity(
        Entity(
          name: "GroupCount",
          attributes: [
            Attribute(name: "group", type: .string),
            Attribute(name: "count", type: .integer, defaultValue: .integer(0)),
          ]), key: ["group"])
    ]

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      for id in commit.inserted("Row") {
        guard let row = try commit.after.get(id) else { continue }
        try rows.update("GroupCount", key: [row["group"]]) {
          guard case .integer(let count) = $0["count"] else { return }
          $0["count"] = .integer(count + step)
        }
      }
    }
  }

  private func options(_ projection: GroupCounts = GroupCounts()) -> StoreOptions {
    var options = StoreOptions()
    options.projections = [projection]
    options.followsProjections = false
    return options
  }

  private func insert(_ group: String, in store: Store) throws {
    try store.write { _ = try $0.insert("Row", ["name": "row", "group": .string(group)]) }
  }

  private func withServer(_ body: @Sendable (Store, any TestClientProtocol) async throws -> Void) async throws {
    try await withTemporaryStore(RowStore.model, options: options()) { store in
      try insert("a", in: store)
      try store.projection("group-counts").catchUp()
      try await DaybookServer(store: store).application.test(.router) { client in try await body(store, client) }
    }
  }

  @Test func rowsAreAnsweredAtTheCheckpointWithATagOfTheirOwn() async throws {
    try await withServer { store, client in
      try insert("b", in: store)
      let answer = try await client.answer("/api/fetch/GroupCount?counts=true")
      let tag = try #require(answer.headers[.eTag])
      #expect(answer.text.hasPrefix(#"{"position": 2, "#) && tag.hasPrefix("\"2-") && tag.contains("~group-counts.1."))
      #expect(try await client.answer("/api/fetch/GroupCount", [.ifNoneMatch: tag]).status == 304)
      let past = try await client.answer("/api/fetch/GroupCount?at=2")
      #expect(past.headers[.cacheControl] == "no-cache" && past.headers[.eTag] == tag)
      let missing = try await client.answer("/api/fetch/GroupCount?at=3")
      #expect(missing.status == 404 && missing.text.contains("they lack 1 of the commits"))
      let head = try await client.answer("/api/diff/GroupCount?from=1")
      #expect(head.text.hasPrefix(#"{"from": 1, "to": 2, "#))
      try store.projection("group-counts").catchUp()
      #expect(try await client.answer("/api/fetch/GroupCount", [.ifNoneMatch: tag]).status == 200)
    }
  }

  @Test func objectsAndTheirBlameAreFoundByParts() async throws {
    try await withServer { store, client in
      let row = try #require(try store.fetch(Request(entity: "GroupCount")).rows.first)
      for text in ["\(row.id)", String("\(row.id)".suffix(12))] {
        #expect(try await client.answer("/api/objects/\(text)").text.contains(#""entity": "GroupCount""#))
        #expect(try await client.answer("/api/objects/\(text)/blame").text.contains(#""position": 2"#))
      }
    }
  }

  @Test func theModelListsDerivedEntitiesWithTheirLag() async throws {
    try await withServer { store, client in
      try insert("b", in: store)
      let answer = try await client.answer("/api/model")
      let entities = try #require(try JSONValue(parsing: Array(answer.text.utf8))["entities"]?.elements)
      #expect(entities.compactMap { $0["name"]?.stringValue } == ["Row", "GroupCount"])
      #expect(entities[0]["derived"] == nil)
      #expect(entities[1]["derived"]?.text == #"{"projection": "group-counts", "lag": 1, "key": ["group"]}"#)
      #expect(answer.headers[.eTag] == nil)
    }
  }

  @Test func streamsResumeFromTheirCursor() async throws {
    try await withServer { store, client in
      let state = try await client.events("/api/changes/GroupCount?count=0")
      let cursor = try #require(state.first?.id)
      #expect(state.map(\.name) == ["state"] && cursor.contains("~group-counts.1."))
      try insert("a", in: store)
      try insert("b", in: store)
      try store.projection("group-counts").catchUp()
      let events = try await client.events("/api/changes/GroupCount?count=1", lastEventID: cursor)
      #expect(events.map(\.name) == ["difference"] && events.first?.position == 4)
      #expect(events.first?.json["rows"]?.elements?.count == 2)
      // A plain position names no rows, and a cursor may be of other ones.
      let followed = FollowedRequests(
        requests: [FetchRequest(entity: "GroupCount"), FetchRequest(entity: "Row")], isNumbered: true,
        listsCounts: [false, true], granularity: .coalesced)
      for other in ["2", cursor.replacing("~group-counts.1.", with: "~group-counts.7.")] {
        let start = try #require(FeedCursor(other))
        let step = try #require(try followed.source(store, from: start).poll())
        #expect(step.events.map(\.kind) == [.reset, .state, .reset, .state], "\(other)")
        #expect(step.end.position == 4 && "\(step.end)".contains("~group-counts.1."))
      }
      // From the cursor itself, the stored rows step together with the derived ones.
      let start = try #require(FeedCursor(cursor))
      let step = try #require(try followed.source(store, from: start).poll())
      #expect(step.events.map(\.kind) == [.difference, .difference] && step.end.position == 4)
    }
  }

  @Test func aLaggingProjectionIsNamedWithThePosition() throws {
    let cursor = try #require(FeedCursor("7-0a1b2c3d~group-counts.1.2"))
    let event = try #require(FeedStep.position(cursor, behind: ["group-counts": 120]).events.first)
    #expect(String(buffer: event.rest) == #"{"position": 7, "behind": {"group-counts": 120}}"#)
    #expect(FeedStep.position(cursor).events.first.map { String(buffer: $0.rest) } == #"{"position": 7}"#)
  }

  @Test func writingARowIsRefused() async throws {
    try await withServer { store, client in
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.insert("GroupCount", ["group": "c"]) }
      }
      #expect(error?.code == .badRequest && error?.message.contains("group-counts alone") == true)
      // A write reads the rows at the checkpoint.
      try store.write { tx in
        _ = try tx.insert("Row", ["name": "row", "group": "c"])
        #expect(try tx.count(Request(entity: "GroupCount")) == 1)
        let row = try #require(try tx.fetch(Request<StoredObject>(entity: "GroupCount")).rows.first)
        #expect(try tx.get(row.id) == row)
        #expect(throws: StoreError.self) { try tx.set(row.id, ["count": 9]) }
      }
      let context = try store.makeContext()
      #expect(try context.fetch(Request<StoredObject>(entity: "GroupCount")).count == 1)
      #expect(throws: StoreError.self) { try context.insert("GroupCount", ["group": "d"]) }
      context.cancel()
    }
  }
}

#endif
