#if Server

import Daybook
import DaybookTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting

@testable import DaybookServer

/// Runs a test with the store and the server of the dishes.
func withFeeds(_ body: @escaping @Sendable (Store, FeedClient) async throws -> Void) async throws {
  try await withTemporaryStore(FeedTestModel.model) { store in
    let server = try DaybookServer(store: store)
    try await server.application.test(.router) { client in
      let feeds = FeedClient(client: client, server: server)
      try await body(store, feeds)
      try await feeds.waitUntilNothingIsFollowed()
    }
  }
}

/// A client of a server without a socket.
struct FeedClient {
  let client: any TestClientProtocol
  let server: DaybookServer

  func execute(uri: String, method: HTTPRequest.Method) async throws -> TestResponse {
    try await client.execute(uri: uri, method: method)
  }

  /// Returns the events of a stream that ends by itself.
  func events(_ uri: String, lastEventID: String? = nil) async throws -> [ReceivedEvent] {
    var headers = HTTPFields()
    if let lastEventID, let name = HTTPField.Name("Last-Event-ID") { headers[name] = lastEventID }
    let response = try await client.execute(uri: uri, method: .get, headers: headers)
    let text = String(buffer: response.body)
    guard response.status == .ok else { throw Mismatch("\(uri): \(response.status) \(text)") }
    return try ReceivedEvent.all(in: text)
  }

  /// - Throws: `Mismatch` if streams or what they follow outlive their clients.
  func waitUntilNothingIsFollowed() async throws {
    for _ in 0..<1_000 where server.feeds.counts != (0, 0) { try await Task.sleep(for: .milliseconds(5)) }
    let counts = server.feeds.counts
    guard counts == (0, 0) else { throw Mismatch("\(counts.streams) streams and \(counts.topics) topics are left") }
  }
}

/// Returns the request that a query of ``FeedTestModel/queries`` stands for.
func request(_ query: String) throws -> Request<StoredObject> {
  var request = Request(entity: "Dish", limit: 100)
  for pair in query.split(separator: "&") {
    let sides = pair.split(separator: "=", maxSplits: 1)
    let value = String(sides[1]).removingPercentEncoding ?? ""
    switch sides[0] {
    case "where": request.filter = try Filter(parsing: value)
    case "sort": request.sort.append(try SortTerm(parsing: value))
    case "section": request.section = try SectionKey(parsing: value)
    case "sectionOrder": request.section?.order = try SectionKey.order(parsing: value)
    case "show": request.shows = try (request.shows ?? []) + (Request<StoredObject>.paths(parsing: [value]) ?? [])
    case "limit": request.limit = Int(value)
    case "offset": request.offset = Int(value) ?? 0
    default: break
    }
  }
  return request
}

#endif
