#if Server

import Daybook
import DaybookModel
import DaybookTools
import HTTPTypes
import Hummingbird

/// Answers of operations that read the store at one position, with the headers that let a client keep them.
extension ServerState {
  /// Answers a request with what a closure reads, at the head or at the position in the parameter `at`.
  ///
  /// Derived entities are read at the checkpoint of their projections in place of the head.
  ///
  /// The answer has an `ETag`, and if the client has this answer already, `body` is not called. All bytes are made before
  /// the first is sent, so no read transaction waits for a slow client.
  ///
  /// - Parameters:
  ///   - subject: What is read.
  ///   - isTagged: Whether the answer follows from its cursor.
  ///   - check: Finds what is wrong with the request, in any case: a request that names what does not exist is answered so,
  ///     whatever the client has (RFC 9110, 13.2.1).
  ///   - body: Reads the position with what `check` has found, and returns the bytes of the answer.
  /// - Throws: `StoreError` with the code `notFound` for a position after the head; what the closures throw.
  func answer<Found>(
    _ request: ServerRequest, type: String = "application/json", of subject: ReadSubject = .stored,
    isTagged: Bool = true,
    checking check: @escaping @Sendable (borrowing StoreReader) throws -> Found,
    _ body: @escaping @Sendable (borrowing StoreReader, Found) throws -> [UInt8]
  ) async throws -> Response {
    let at = request.position("at")
    return try await blocking(for: request) { store in
      try store.read { reader in
        let head = reader.position
        let position = try at?.resolve(in: reader) ?? head
        func answer(_ reader: borrowing StoreReader) throws -> Response {
          var isFixed = false
          if case .number = at { isFixed = true }
          // The answer to a time changes with the head.
          var isTime = false
          if case .time = at { isTime = true }
          let cursor = try reader.completed(
            FeedCursor(position: isTime ? head : reader.position, stamp: reader.stamp))
          let found = try check(reader)
          if isTagged, let answer = request.unchanged(at: cursor, isFixed: isFixed) { return answer }
          let headers = isTagged ? cursor.headers(isFixed: isFixed) : [.cacheControl: "no-cache"]
          return Response(try body(reader, found), type: type, headers: headers, answering: request.request)
        }
        // The head of a projection is its checkpoint.
        if at == nil { return try subject.reading(reader, answer) }
        if at == .head { return try subject.reading(reader) { try $0.recorded(answer) } }
        return try subject.reading(reader, at: position, answer)
      }
    }
  }

  /// Answers a request with a JSON value that a closure reads.
  func answer<Found>(
    _ request: ServerRequest, of subject: ReadSubject = .stored,
    checking check: @escaping @Sendable (borrowing StoreReader) throws -> Found,
    json: @escaping @Sendable (borrowing StoreReader, Found) throws -> JSONValue
  ) async throws -> Response {
    try await answer(request, of: subject, checking: check) { reader, found in
      var bytes: [UInt8] = []
      try json(reader, found).write(to: &bytes)
      return bytes
    }
  }
}

/// What an operation reads, which decides in which state.
enum ReadSubject: Sendable {
  /// Stored objects.
  case stored
  case entity(String)
  /// The object that a text names.
  case object(String)

  /// Calls a closure with the reader of the state in which the subject is read.
  func reading<Result>(_ reader: borrowing StoreReader, _ body: (borrowing StoreReader) throws -> Result) throws
    -> Result
  {
    switch self {
    case .stored: try body(reader)
    case .entity(let entity): try reader.reading([entity], body)
    case .object(let text): try reader.reading(objectWith: reader.resolve(text), body)
    }
  }

  /// Calls a closure with the reader of the state in which the subject is read at an earlier position.
  func reading<Result>(
    _ reader: borrowing StoreReader, at position: Position, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    switch self {
    case .stored: try reader.read(at: position, body)
    case .entity(let entity): try reader.read(entity, at: position, body)
    case .object(let text): try reader.read(objectWithPart: text, at: position) { _, reader in try body(reader) }
    }
  }
}

#endif
