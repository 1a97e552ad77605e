#if Server

import Daybook
import DaybookModel
import HTTPTypes
import Hummingbird

extension Response {
  /// Creates an answer with the bytes of the large value that the parameter `sha256` of a request names.
  ///
  /// The bytes of a digest never change, so a client may keep them for a year. An image in a format that every browser
  /// shows has its own media type, which is read from its first bytes; everything else is sent as a download of unknown
  /// type, so that no bytes from the store run as a page of the server's origin.
  ///
  /// - Parameters:
  ///   - request: The request that it answers.
  ///   - find: Returns the value with a digest, or `nil` if no value has it; called on a thread for blocking work.
  /// - Throws: `Problem` with the status 404 for a text that is no digest, and for a digest without a value; the errors
  ///   of `find`; `StoreError` with the code `damaged` if the bytes do not give the digest.
  package static func largeValue(
    answering request: ServerRequest, _ find: @escaping @Sendable (Digest) throws -> LargeValue?
  ) async throws -> Response {
    let text = request["sha256"] ?? ""
    guard let digest = Digest(text), let value = try await ThreadPoolExecutor.run({ try find(digest) }) else {
      throw Problem(.notFound, "There is no large value “\(text.prefix(80))”.", parameter: "sha256")
    }
    let tag = "\"\(digest)\""
    var headers: HTTPFields = [.eTag: tag, .cacheControl: "private, max-age=31536000, immutable"]
    if request.request.headers.matchTag(tag) { return Response(status: .notModified, headers: headers) }
    // Damage is found before the first byte is sent, and reported as an error instead of a short answer.
    let first = try await ThreadPoolExecutor.run { try value.checkedFirstChunk() }
    let type = ImageType(first)
    headers[.contentType] = type?.mediaType ?? "application/octet-stream"
    headers[.contentDisposition] =
      type.map { "inline; filename=\"\(digest).\($0.rawValue)\"" } ?? "attachment; filename=\"\(digest).bin\""
    return Response(status: .ok, headers: headers, body: ResponseBody(value, first: first))
  }
}

private extension ResponseBody {
  /// Creates a body of a value: a piece is in memory at a time, and no transaction is open while it is sent.
  init(_ value: LargeValue, first: [UInt8]) {
    self.init(contentLength: value.size) { writer in
      try await writer.write(ByteBuffer(bytes: first))
      for number in 1..<max(1, value.chunkCount) {
        let chunk = try await ThreadPoolExecutor.run { try value.requireSource().chunk(number, of: value) }
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

#endif
