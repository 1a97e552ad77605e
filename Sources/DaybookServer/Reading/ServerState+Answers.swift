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
    return try await blocking(for: request) { store in
      try store.read { reader in
        let position = try at?.resolve(in: reader) ?? reader.position
        var isFixed = false
        if case .number = at { isFixed = true }
        let mark = try reader.mark(at: isFixed ? position : reader.position)
        if let answer = request.unchanged(at: mark, isFixed: isFixed) { return answer }
        let bytes = at == nil ? try body(reader) : try reader.read(at: position, body)
        return Response(bytes, type: type, headers: mark.headers(isFixed: isFixed), answering: request.request)
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
