#if Server

import Daybook
import HTTPTypes

extension ServerRequest {
  /// Returns what the client of a stream has seen already, or `nil` if it has nothing; the header wins over the parameter
  /// `from`.
  ///
  /// - Throws: `Problem` with the status 400 for a malformed cursor.
  func cursor() throws -> FeedCursor? {
    let sent = ServerRequest.lastEventID.flatMap { request.headers[$0] }
    guard let text = sent.flatMap({ $0.isEmpty ? nil : $0 }) ?? self["from"] else { return nil }
    if let cursor = FeedCursor(text) { return cursor }
    throw Problem(
      .badRequest, "“\(text)” is not the id of an event.", advice: "Give the id of an event, or a position.",
      parameter: sent == nil ? "from" : "Last-Event-ID")
  }

  /// The field of a client that resumes a stream (HTML standard, 9.2.4).
  private static let lastEventID = HTTPField.Name("Last-Event-ID")
}

#endif
