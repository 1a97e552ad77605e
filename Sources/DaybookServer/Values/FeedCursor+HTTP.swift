#if Server

import Daybook
import DaybookModel
import HTTPTypes

/// A cursor as the `ETag` of an answer and the id of a streamed event.
///
/// The hash distinguishes two stores, and a store from one that was restored from an older backup and written to again.
extension FeedCursor {
  /// The header fields of an answer that is read at the cursor's position.
  ///
  /// - Parameter isFixed: Whether the request named the position, so that its answer stays the same. Rows of projections
  ///   may be replaced by others of the same position.
  func headers(isFixed: Bool = false) -> HTTPFields {
    let stays = isFixed && stamp == .stored
    return [.eTag: "\"\(self)\"", .cacheControl: stays ? "private, max-age=3600" : "no-cache"]
  }
}

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

extension Parameter {
  static let cursor = Parameter(
    "from", .cursor, "What the client has seen: the id of an event, or a position. The header Last-Event-ID wins.")

  static let cursorHeader = Parameter(
    "Last-Event-ID", .cursor, "As from: the id of the last event that the client received.", place: .header)
}

#endif
