#if Server

import Daybook
import HTTPTypes

/// Where a stream begins: what its client has seen already.
enum StreamCursor: Sendable {
  /// The client has nothing.
  case none
  /// The client has the state at a commit.
  case after(CommitMark)

  /// The field of a client that resumes a stream (HTML standard, 9.2.4).
  static let header = HTTPField.Name("Last-Event-ID")

  /// Reads the cursor of a request; the header wins over the parameter `from`.
  ///
  /// - Throws: `Problem` with the status 400 for a malformed one.
  init(_ request: ServerRequest) throws {
    let sent = StreamCursor.header.flatMap { request.request.headers[$0] }
    guard let text = sent.flatMap({ $0.isEmpty ? nil : $0 }) ?? request["from"] else {
      self = .none
      return
    }
    guard let mark = CommitMark(text) else {
      throw Problem(
        .badRequest, "“\(text)” is not the id of an event.", advice: "Give POSITION-HASH8, or a position.",
        parameter: sent == nil ? "from" : "Last-Event-ID")
    }
    self = .after(mark)
  }

  static let parameter = Parameter(
    "from", .cursor, "What the client has seen: the id of an event, or a position. The header Last-Event-ID wins.")

  static let headerParameter = Parameter(
    "Last-Event-ID", .cursor, "As from: the id of the last event that the client received.", place: .header)
}

#endif
