import DaybookModel
import DaybookRuntime

extension Change {
  /// What a consumer has that received this change, from which a feed resumes in any process.
  ///
  /// - Complexity: O(log *n*): the commit's hash is read from the store; without it if the store is closed.
  public var cursor: FeedCursor {
    let store = (source as? Store) ?? (source as? GroupOrigins)?.base as? Store
    let cursor = try? store?.read { try $0.cursor(at: to) }
    return FeedCursor(position: to, hash: cursor?.hash, stamp: to == .empty ? nil : stamp, time: time)
  }
}
