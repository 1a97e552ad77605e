import Daybook
import DaybookModel
import DaybookTools
import HTTPTypes
import Hummingbird

/// Answers of operations that read the store at one position, with the headers that let a client keep them.
extension ServerState {
  /// Answers a request with what a closure reads, at the head or at the position in the parameter `at`.
  ///
  /// The answer has an `ETag`, and if the client has this answer already, the closure is not called. All bytes are made before
  /// the first is sent, so no read transaction waits for a slow client.
  ///
  /// - Parameter body: Reads the position, and returns the bytes of the answer.
  /// - Throws: `StoreError` with the code `notFound` for a position after the head; what the closure throws.
  func answer(
    _ request: ServerRequest, type: String = "application/json",
    _ body: @escaping @Sendable (borrowing StoreReader) throws -> [UInt8]
  ) async throws -> Response {
    let at = request.position("at")
    let known = request.request.headers[values: .ifNoneMatch]
    return try await blocking { store in
      try store.read { reader in
        let position = try at?.resolve(in: reader) ?? reader.position
        var isFixed = false
        if case .number = at { isFixed = true }
        let tag = "\"\(try reader.mark(at: isFixed ? position : reader.position))\""
        let headers: HTTPFields = [
          .eTag: tag, .cacheControl: isFixed ? "private, max-age=3600" : "no-cache",
        ]
        if EntityTags(known).contain(tag) { return Response(status: .notModified, headers: headers) }
        let bytes = at == nil ? try body(reader) : try reader.read(at: position, body)
        return Response(bytes, type: type, headers: headers)
      }
    }
  }

  /// Answers a request with a JSON value that a closure reads.
  func answer(
    _ request: ServerRequest, json: @escaping @Sendable (borrowing StoreReader) throws -> JSONValue
  ) async throws -> Response {
    try await answer(request) { reader in
      var bytes: [UInt8] = []
      try json(reader).write(to: &bytes)
      return bytes
    }
  }
}

/// The tags of answers that a client has, from `If-None-Match` (RFC 9110, 13.1.2).
struct EntityTags {
  private let tags: [Substring]

  init(_ headers: [String]) {
    // The tags of this server have no comma inside.
    tags = headers.flatMap { $0.split(separator: ",") }.map { $0.trimmingPrefix { $0 == " " || $0 == "\t" } }
  }

  /// Returns whether a tag is among them, by the weak comparison.
  func contain(_ tag: String) -> Bool {
    tags.contains { text in
      let text = text.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
      let known = String(text)
      return known == "*" || known == tag || known == "W/\(tag)"
    }
  }
}
