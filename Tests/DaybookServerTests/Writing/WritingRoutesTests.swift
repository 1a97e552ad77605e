import Daybook
import DaybookModel
import DaybookTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

@Suite struct WritingRoutesTests {
  private static func withClient(
    _ model: Model = RowStore.model, allowsWriting: Bool = true,
    _ body: @Sendable (Store, Client) async throws -> Void
  ) async throws {
    try await withTemporaryStore(model) { store in
      let configuration = ServerConfiguration(allowsWriting: allowsWriting)
      let server = try DaybookServer(store: store, configuration: configuration, writer: "anna")
      try await server.application.test(.router) { client in
        try await body(store, Client(client: client, token: server.token))
      }
    }
  }

  /// A client with the token that the server made.
  private struct Client {
    let client: any TestClientProtocol
    let token: String?
  }

  private static func post(
    _ client: Client, _ path: String, _ body: String, _ headers: [String: String] = [:]
  ) async throws -> (status: Int, text: String) {
    var fields: HTTPFields = [.contentType: "application/json"]
    if let token = client.token { fields[.authorization] = "Bearer \(token)" }
    for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
    let response = try await client.client.execute(
      uri: path, method: .post, headers: fields, body: ByteBuffer(string: body))
    return (response.status.code, String(buffer: response.body))
  }

  private static let insert = #"{"insert": "Row", "as": "$a", "values": {"name": "a"}}"#

  @Test func aLineIsOneCommit() async throws {
    try await Self.withClient { store, client in
      let answer = try await Self.post(
        client, "/api/commits", "{\"commit\":\n [\(Self.insert)], \"message\": \"first\"}")
      #expect(answer.status == 201)
      let row = try #require(try store.fetch(FetchRequest(entity: "Row")).objects.first)
      #expect(answer.text == #"{"position": 2, "ids": {"$a": "\#(row.id)"}}"#)
      var log = try store.log(from: 2)
      #expect(try log.next()?.author == "anna")
      // The token's name is the author.
      let other = try await Self.post(client, "/api/commits", #"{"delete": "\#(row.id)", "author": "ben"}"#)
      #expect(other.status == 403)
      let same = try await Self.post(client, "/api/commits", #"{"set": "\#(row.id)", "values": {"name": "a"}}"#)
      #expect(same.status == 200)
      #expect(same.text == #"{"position": 2, "ids": {}}"#)
    }
  }

  @Test func eachFaultHasItsStatus() async throws {
    try await Self.withClient { store, client in
      #expect(try await Self.post(client, "/api/commits", Self.insert).status == 201)
      let cases: [(body: String, status: Int)] = [
        ("{", 400), ("[]", 400), (#"{"insert": "Row", "values": {"number": "x"}}"#, 400),
        (#"{"insert": "Row", "values": {"colour": 1}}"#, 422), (#"{"insert": "Row"}"#, 422),
        (#"{"delete": "0190163d-8694-739b-aea5-966c26f8ad91"}"#, 422), (#"{"delete": "$x"}"#, 422),
        (#"{"insert": "Row", "values": {"name": "b"}, "when": {"unchanged": {"entity": "Row"}, "since": 1}}"#, 409),
      ]
      for (body, status) in cases {
        let answer = try await Self.post(client, "/api/commits", body)
        #expect(answer.status == status, "\(body): \(answer.text)")
        #expect(answer.text.contains("\"detail\""))
      }
      #expect(try await Self.post(client, "/api/commits", Self.insert, ["Content-Type": "text/plain"]).status == 415)
      #expect(try store.head() == 2)
    }
    try await Self.withClient(allowsWriting: false) { store, client async throws in
      #expect(try await Self.post(client, "/api/commits", Self.insert).status == 403)
      #expect(try store.head() == 1)
    }
  }

  @Test func filesOfAFormAreValues() async throws {
    let model = Model(entities: [
      Entity(name: "Photo", attributes: [Attribute(name: "image", type: .data)])
    ])
    try await Self.withClient(model) { store, client in
      let body = [
        "--xyz", "Content-Disposition: form-data; name=\"commit\"", "",
        #"{"insert": "Photo", "values": {"image": {"file": "picture"}}}"#, "--xyz",
        "Content-Disposition: form-data; name=\"picture\"; filename=\"a.png\"", "Content-Type: image/png", "",
        "12\r\n--3", "--xyz--", "",
      ].joined(separator: "\r\n")
      let answer = try await Self.post(
        client, "/api/commits", body, ["Content-Type": "multipart/form-data; boundary=xyz"])
      #expect(answer.status == 201, "\(answer.text)")
      let photo = try #require(try store.fetch(FetchRequest(entity: "Photo")).objects.first)
      #expect(photo["image"] == .data(Array("12\r\n--3".utf8)))
      let cut = try await Self.post(
        client, "/api/commits", String(body.dropLast(9)), ["Content-Type": "multipart/form-data; boundary=xyz"])
      #expect(cut.status == 400)
    }
  }

  @Test func commitsAreRevertedUndoneAndRedone() async throws {
    try await Self.withClient { store, client in
      let id = try await store.write { try $0.insert("Row", values: ["name": "a"]) }
      try await store.write { try $0.set(id, values: ["number": 1]) }
      let undone = try await Self.post(client, "/api/undo", "{}")
      #expect(undone.status == 201)
      #expect(undone.text == #"{"position": 4, "commits": [{"position": 4, "undoes": [3], "leftOut": []}]}"#)
      #expect(try await Self.post(client, "/api/redo", "{}").status == 201)
      #expect(try await Self.post(client, "/api/redo", "{}").status == 409)
      #expect(try await Self.post(client, "/api/revert", #"{"position": 3}"#).status == 201)
      try await store.write { try $0.set(id, values: ["number": 2]) }
      try await store.write { try $0.set(id, values: ["number": 3]) }
      let conflict = try await Self.post(client, "/api/revert", #"{"position": \#(try store.head().number - 1)}"#)
      #expect(conflict.status == 409)
      #expect(conflict.text.contains("commit \(try store.head())"))
      #expect(try await Self.post(client, "/api/revert", #"{"position": 99}"#).status == 422)
      #expect(try await Self.post(client, "/api/undo", #"{"steps": 0}"#).status == 400)
      #expect(try await Self.post(client, "/api/undo", #"{"colour": 0}"#).status == 400)
    }
  }
}
