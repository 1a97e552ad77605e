#if Server

import Daybook
import DaybookEngine
import DaybookModel
import DaybookTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

/// The bytes of large values over HTTP.
@Suite(.hangLimit) struct ValueRouteTests {
  private static let model = Model(entities: [
    Entity(name: "Photo", attributes: [Attribute(name: "image", type: .data)])
  ])

  private static func form(_ boundary: String, _ image: [UInt8]) -> [UInt8] {
    let head = [
      "--\(boundary)", "Content-Disposition: form-data; name=\"commit\"", "",
      #"{"insert": "Photo", "as": "$photo", "values": {"image": {"file": "picture"}}}"#, "--\(boundary)",
      "Content-Disposition: form-data; name=\"picture\"; filename=\"a.png\"", "", "",
    ].joined(separator: "\r\n")
    return Array(head.utf8) + image + Array("\r\n--\(boundary)--\r\n".utf8)
  }

  private func get(
    _ writer: WritingClient, _ path: String, tag: String? = nil, method: HTTPRequest.Method = .get
  ) async throws -> TestResponse {
    var headers: HTTPFields = [:]
    if let tag { headers[.ifNoneMatch] = tag }
    return try await writer.client.execute(uri: path, method: method, headers: headers)
  }

  @Test func aPhotoOfMoreThan16MiBIsSentAndReadBack() async throws {
    try await withWriter(Self.model) { store, writer in
      var image = [UInt8](repeating: 7, count: (17 << 20) + 3)
      image.replaceSubrange(0..<8, with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      let made = try await writer.post(
        "/api/commits", bytes: Self.form("xyz", image), type: "multipart/form-data; boundary=xyz")
      #expect(made.status == .created, "\(made.text)")
      let id = try #require(made.json["ids"]?["$photo"]?.stringValue)
      let object = try JSONValue(parsing: String(buffer: try await get(writer, "/api/objects/\(id)").body))
      let digest = try #require(object["values"]?["image"]?["sha256"]?.stringValue)
      #expect(object["values"]?["image"]?["size"]?.integerValue == Int64(image.count))
      #expect(digest == Digest(hashing: image.rawSpan).description)
      let answer = try await get(writer, "/api/values/\(digest)")
      #expect(answer.status == .ok)
      #expect(Array(answer.body.readableBytesView) == image)
      #expect(answer.headers[.contentType] == "image/png")
      #expect(answer.headers[.contentDisposition] == "inline; filename=\"\(digest).png\"")
      #expect(answer.headers[.xContentTypeOptions] == "nosniff")
      #expect(answer.headers[.eTag] == "\"\(digest)\"")
      #expect(answer.headers[.cacheControl] == "private, max-age=31536000, immutable")
      #expect(try await get(writer, "/api/values/\(digest)", tag: "\"\(digest)\"").status == .notModified)
      // A commit may refer to the value without sending it again.
      let line = #"{"insert": "Photo", "values": {"image": {"sha256": "\#(digest)", "size": \#(image.count)}}}"#
      #expect(try await writer.post("/api/commits", line).status == .created)
      let unknown = line.replacing("\(image.count)}", with: "\(image.count - 1)}")
      #expect(try await writer.post("/api/commits", unknown).status == .unprocessableContent)
      #expect(try store.fetch(Request(entity: "Photo")).rows.count == 2)
    }
  }

  @Test func whatIsNoImageIsADownload() async throws {
    try await withWriter(Self.model) { store, writer in
      let page = Array("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".utf8)
      let bytes = page + [UInt8](repeating: 32, count: 100_000)
      try await store.write { try $0.insert("Photo", ["image": .data(bytes)]) }
      let digest = Digest(hashing: bytes.rawSpan).description
      let answer = try await get(writer, "/api/values/\(digest)")
      #expect(answer.headers[.contentType] == "application/octet-stream")
      #expect(answer.headers[.contentDisposition] == "attachment; filename=\"\(digest).bin\"")
    }
  }

  @Test(arguments: ["0", "x", String(repeating: "0", count: 64), String(repeating: "g", count: 64), "..%2f"])
  func whatIsNoValueIsMissing(text: String) async throws {
    try await withWriter(Self.model) { _, writer async throws in
      #expect(try await get(writer, "/api/values/\(text)").status == .notFound)
    }
  }

  @Test func aFormOverTheLimitIsRefused() async throws {
    try await withTemporaryStore(Self.model) { store in
      var configuration = ServerConfiguration(allowsWriting: true)
      configuration.formLimit = 100_000
      let server = try DaybookServer(store: store, configuration: configuration, writer: "anna")
      try await server.application.test(.router) { client in
        let writer = WritingClient(client: client, token: server.token)
        let answer = try await writer.post(
          "/api/commits", bytes: Self.form("xyz", [UInt8](repeating: 1, count: 100_000)),
          type: "multipart/form-data; boundary=xyz")
        #expect(answer.status == .contentTooLarge)
        #expect(answer.text.contains("100000"))
      }
      #expect(try store.position == 1)
    }
  }

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], ImageType.png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
      (Array("GIF89a..".utf8), .gif), (Array("RIFF....WEBPVP8 ".utf8), .webp), (Array("RIFF....WAVE".utf8), nil),
      ([], nil), (Array("<svg".utf8), nil), ([0xFF, 0xD8], nil),
    ] as [([UInt8], ImageType?)])
  func anImageIsKnownByItsFirstBytes(bytes: [UInt8], type: ImageType?) {
    #expect(ImageType(bytes) == type)
  }
}

#endif
