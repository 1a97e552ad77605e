#if Server

import Daybook
import DaybookTestSupport
import Testing

@testable import DaybookServer

/// Streams that are cut and resumed at random, while a writer makes random commits.
@Suite(.hangLimit) struct RandomFeedStreamTests {
  @Test(arguments: FeedTestModel.queries)
  func theStreamAppliedToTheStateIsAFreshFetch(_ query: String) async throws {
    let seed = Seeds.one
    try await withFeeds { store, client in
      let isStepwise = seed.isMultiple(of: 2)
      let writer = FeedTestModel.startWriting(to: store, seed: seed)
      var random = SeededRandom(seed: seed &+ 1)
      var table: ClientTable?
      var last: String?
      for _ in 0..<6 {
        let count = random.number(1...5)
        let uri = "/api/changes/Dish?\(query)&count=\(count)&everyCommit=\(isStepwise)"
        for event in try await client.events(uri, lastEventID: last) {
          // A client that is cut off may have lost the end of what was sent.
          if random.isOneIn(7) { break }
          if event.name == "state" { table = try ClientTable(event.json) }
          if event.name == "difference" { try table?.apply(event.json) }
          last = event.id ?? last
          guard event.name != "position" else { continue }
          let position = try #require(event.position)
          try check(try #require(table), query, at: position, in: store, seed)
        }
      }
      try await writer.stop()
    }
  }

  private func check(
    _ table: ClientTable, _ query: String, at position: Position, in store: Store, _ seed: UInt64
  ) throws {
    let followed = FollowedRequests(
      requests: [try request(query).fetch], isNumbered: false, listsCounts: [false], granularity: .coalesced)
    let state = try store.read { try $0.reading(position) { try followed.freshState(in: $0) } }
    guard try table == ClientTable(state) else {
      throw Mismatch("seed \(seed), \(query) at \(position): \(table) is not \(state.text)")
    }
  }
}

private extension FollowedRequests {
  func freshState(in reader: borrowing StoreReader) throws -> JSONValue {
    let state = try state(of: 0, in: reader)
    return try JSONValue(parsing: String(buffer: state.rest))
  }
}

#endif
