import Daybook
import DaybookModel
import HTTPTypes
import Hummingbird

/// The operation that returns the bytes of a large value.
///
/// The bytes of a digest never change, so a client may keep them for a year. An image in a format that every browser
/// shows has its own media type, which is read from its first bytes; everything else is sent as a download of unknown
/// type, so that no bytes from the store run as a page of the server's origin.
struct ValueRoute {
  private let state: ServerState

  init(_ state: ServerState) {
    self.state = state
  }

  var route: Route {
    Route(
      method: .get, path: "/api/values/{sha256}",
      summary: "The bytes of a large value, by the SHA-256 that events and objects refer to it by.",
      parameters: [Parameter("sha256", .text, "The SHA-256 of the bytes, in 64 hexadecimal digits.")],
      answers: [RouteAnswer(.ok, "*/*", .text)]
    ) { request in
      let text = request["sha256"] ?? ""
      guard let digest = Digest(text), let value = try await state.blocking({ try $0.largeValue(digest) }) else {
        throw Problem(.notFound, "There is no large value “\(text.prefix(80))”.", parameter: "sha256")
      }
      let tag = "\"\(digest)\""
      var headers: HTTPFields = [.eTag: tag, .cacheControl: "private, max-age=31536000, immutable"]
      if request.request.headers.matchTag(tag) { return Response(status: .notModified, headers: headers) }
      // Damage is found before the first byte is sent, and reported as an error instead of a short answer.
      let first = try await state.blocking { _ in try value.checkedFirstChunk() }
      let type = ImageType(first)
      headers[.contentType] = type?.mediaType ?? "application/octet-stream"
      headers[.contentDisposition] =
        type.map { "inline; filename=\"\(digest).\($0.rawValue)\"" } ?? "attachment; filename=\"\(digest).bin\""
      return Response(status: .ok, headers: headers, body: body(value, first))
    }
  }

  /// Returns the body: a piece is in memory at a time, and no transaction is open while it is sent.
  private func body(_ value: LargeValue, _ first: [UInt8]) -> ResponseBody {
    ResponseBody(contentLength: value.size) { [state] writer in
      try await writer.write(ByteBuffer(bytes: first))
      for number in 1..<max(1, value.chunkCount) {
        let chunk = try await state.blocking { _ in try value.requireSource().chunk(number, of: value) }
        try await writer.write(ByteBuffer(bytes: chunk))
      }
      try await writer.finish(nil)
    }
  }
}

private extension LargeValue {
  /// Returns the first piece after checking the digest of all pieces.
  func checkedFirstChunk() throws -> [UInt8] {
    do {
      let source = try requireSource()
      try source.check(self)
      return try source.chunk(0, of: self)
    } catch {
      throw StoreError.translating(error)
    }
  }
}

/// A format of images that browsers show and that holds no script.
enum ImageType: String {
  case png, jpeg, gif, webp

  /// Returns the format of a file from its first bytes, or `nil` for any other file.
  init?(_ bytes: [UInt8]) {
    func begins(with start: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: start) }
    if begins(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if begins(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins(with: Array("GIF87a".utf8)) || begins(with: Array("GIF89a".utf8)) {
      self = .gif
    } else if begins(with: Array("RIFF".utf8)), begins(with: Array("WEBP".utf8), at: 8) {
      self = .webp
    } else {
      return nil
    }
  }

  var mediaType: String { "image/\(rawValue)" }
}
