import DaybookEngine
import DaybookModel

/// What a caller states about a commit besides its events.
public struct CommitInfo: Hashable, Sendable {
  /// The author; at most 64 KiB.
  public var author: String?
  /// The reason for the commit; at most 16 MiB.
  public var message: String?
  /// When the change happened, if not when it is recorded; need not rise from commit to commit.
  public var happenedAt: Timestamp?
  /// An id by which a repeated write is recognised.
  ///
  /// A write with an id that the journal contains does nothing, and returns the commit with this id.
  public var commitID: ObjectID?
  /// A condition on the journal, checked before the closure runs; not stored in the commit.
  public var condition: AppendCondition?

  /// Makes the description of a commit.
  public init(
    author: String? = nil, message: String? = nil, happenedAt: Timestamp? = nil, commitID: ObjectID? = nil,
    when condition: AppendCondition? = nil
  ) {
    self.author = author
    self.message = message
    self.happenedAt = happenedAt
    self.commitID = commitID
    self.condition = condition
  }

  package func checkLimits() throws(StoreError) {
    if let author, author.utf8.count > CommitLimits.maximumAuthorSizeInBytes {
      throw StoreError(
        .tooLarge, "The author has \(author.utf8.count) bytes; \(CommitLimits.maximumAuthorSizeInBytes) are allowed.")
    }
    if let message, message.utf8.count > CommitLimits.maximumMessageSizeInBytes {
      throw StoreError(
        .tooLarge, "The message has \(message.utf8.count) bytes; \(CommitLimits.maximumMessageSizeInBytes) are allowed."
      )
    }
  }
}
