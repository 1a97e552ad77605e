#if Server

import Daybook
import DaybookModel
import HTTPTypes

/// A commit as an `ETag` and the id of a streamed event name it: its position, and the beginning of its hash.
///
/// The hash distinguishes two stores, and a store from one that was restored from an older backup and written to again.
struct CommitMark: Hashable, Sendable, CustomStringConvertible {
  let position: Position
  /// The first 8 hexadecimal digits of the commit's hash; `nil` if only the position was given.
  let hash: String?

  /// Creates the mark of a commit; position 0 has no commit, and zeros for a hash.
  init(_ position: Position, hash: Digest) {
    self.position = position
    self.hash = String(hash.description.prefix(8))
  }

  /// Parses `POSITION-HASH8`, or a position alone; `nil` for any other text.
  init?(_ text: String) {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, !first.isEmpty, first.utf8.allSatisfy({ (48...57).contains($0) }),
      let number = UInt64(first)
    else { return nil }
    position = Position(number)
    guard parts.count == 2 else {
      hash = nil
      return
    }
    guard parts[1].utf8.count == 8, parts[1].utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    hash = String(parts[1])
  }

  var description: String { hash.map { "\(position)-\($0)" } ?? "\(position)" }
}

extension CommitMark {
  /// The header fields of an answer that is read at the mark's commit.
  ///
  /// - Parameter isFixed: Whether the request named the position, so that its answer stays the same.
  func headers(isFixed: Bool = false) -> HTTPFields {
    [.eTag: "\"\(self)\"", .cacheControl: isFixed ? "private, max-age=3600" : "no-cache"]
  }
}

#endif
