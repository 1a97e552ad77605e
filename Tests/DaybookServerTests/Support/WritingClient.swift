#if Server

import Daybook
import DaybookModel
import DaybookTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting

@testable import DaybookServer

/// Runs a server without a socket on a new store, and a client that has its token.
func withWriter(
  _ model: Model = FeedTestModel.model, allowsWriting: Bool = true,
  _ body: @escaping @Sendable (Store, WritingClient) async throws -> Void
) async throws {
  try await withTemporaryStore(model) { store in
    let server = try DaybookServer(
      store: store, configuration: ServerConfiguration(allowsWriting: allowsWriting), writer: "anna")
    try await server.application.test(.router) { client in
      try await body(store, WritingClient(client: client, token: server.token))
    }
  }
}

/// A client that writes.
struct WritingClient {
  let client: any TestClientProtocol
  let token: String?

  struct Answer {
    let status: HTTPResponse.Status
    let type: String?
    let text: String
    let json: JSONValue
  }

  func post(
    _ path: String, _ body: String, type: String = "application/json", key: String? = nil, hasToken: Bool = true
  ) async throws -> Answer {
    try await post(path, bytes: Array(body.utf8), type: type, key: key, hasToken: hasToken)
  }

  func post(
    _ path: String, bytes: [UInt8], type: String, key: String? = nil, hasToken: Bool = true
  ) async throws -> Answer {
    var headers: HTTPFields = [.contentType: type]
    if let token, hasToken { headers[.authorization] = "Bearer \(token)" }
    if let key, let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
    let response = try await client.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: bytes))
    let text = String(buffer: response.body)
    return Answer(
      status: response.status, type: response.headers[.contentType], text: text, json: try JSONValue(parsing: text))
  }
}

#endif
