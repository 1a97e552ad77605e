#if Server

import Daybook
import DaybookTestSupport
import DifferenceCases
import HummingbirdTesting
import Testing

@testable import DaybookServer

/// The cases of the file of cases, as streams.
@Suite(.hangLimit) struct FeedCaseStreamTests {
  private static let cases = (try? FeedCase.all()) ?? []

  @Test func thereAreCases() {
    #expect(FeedCaseStreamTests.cases.count == 60)
  }

  @Test(arguments: FeedCaseStreamTests.cases)
  func aStreamSendsTheExpectedDifference(_ feedCase: FeedCase) async throws {
    let names = Set(feedCase.before.rows.keys).union(feedCase.operations.map(\.id)).sorted()
    // Rows that tie are in the order of their ids, so the ids are assigned in the order of the names.
    let ids = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, ObjectID(high: 1, low: UInt64($0))) })
    let model = Model(entities: [
      Entity(
        name: "Row",
        attributes: [
          Attribute(name: "section", type: .string),
          Attribute(name: "key", type: feedCase.hasTextKeys ? .string : .double),
          Attribute(name: "payload", type: .string), Attribute(name: "match", type: .boolean),
        ])
    ])
    try await withTemporaryStore(model) { store in
      try await store.write { tx in
        for (name, row) in feedCase.before.rows { try tx.insert("Row", row.storedValues, id: ids[name]) }
      }
      let start = try store.position
      try await store.write { tx in
        for operation in feedCase.operations {
          let id = try #require(ids[operation.id])
          switch operation {
          case .insert(_, let row): try tx.insert("Row", row.storedValues, id: id)
          case .update(_, let row): try tx.set(id, row.storedValues)
          case .delete: try tx.delete(id)
          }
        }
      }
      let server = try DaybookServer(store: store)
      try await server.application.test(.router) { client in
        let feeds = FeedClient(client: client, server: server)
        // A case without an effect sends nothing, so its stream ends at once.
        let count = feedCase.expected.isEmpty ? 0 : 1
        let events = try await feeds.events("/api/changes/Row?\(feedCase.query)&from=\(start)&count=\(count)")
        #expect(events.count == count)
        guard let event = events.first else { return }
        #expect(event.difference["sections"] == feedCase.expected.sectionsJSON)
        #expect(event.difference["rows"] == feedCase.expected.rowsJSON(ids))
      }
    }
  }
}

private extension FeedCase {
  var query: String {
    var query = "where=match%20%3D%3D%20true&sort=\(request.keysFall ? "key:desc" : "key")&offset=\(request.offset)"
    switch request.sections {
    case .none: break
    case .rising: query += "&section=section"
    case .falling: query += "&section=section:desc"
    case .explicit(let names):
      let quoted = names.map { "%22\($0)%22" }
      query += "&section=section&sectionOrder=\(quoted.joined(separator: ","))"
    }
    return query + (request.limit.map { "&limit=\($0)" } ?? "")
  }
}

private extension FeedCase.Store.Row {
  var storedValues: [String: Value] {
    let key: Value =
      switch self.key {
      case .number(let number): .double(number)
      case .text(let text): .string(text)
      }
    return ["section": .string(section), "key": key, "payload": .string(payload), "match": .boolean(matches)]
  }
}

private extension Difference<String> {
  var sectionsJSON: JSONValue {
    .array(
      sections.map {
        [
          "change": .string($0.isDelete ? "delete" : "insert"), "index": .integer(Int64($0.index)),
          "name": .string($0.name),
        ]
      })
  }

  func rowsJSON(_ ids: [String: ObjectID]) -> JSONValue {
    .array(
      rows.map { row in
        var members: [(key: String, value: JSONValue)] = [
          ("change", .string(row.word)), ("id", .string(ids[row.id].map { "\($0)" } ?? "")),
        ]
        for (name, path) in [("from", row.from), ("to", row.to)] {
          guard let path else { continue }
          members.append((name, [.integer(Int64(path.section)), .integer(Int64(path.row))]))
        }
        return .object(members)
      })
  }
}

#endif
