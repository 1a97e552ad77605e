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

#endif
