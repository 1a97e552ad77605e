import DaybookModel

/// What a writer says of a commit beside its events.
public struct CommitInfo: Hashable, Sendable {
  /// Who wrote it; at most 64 KiB.
  public var author: String?
  /// Why; at most 16 MiB.
  public var message: String?
  /// When it happened, if that is not when it is recorded; may run backwards.
  public var happenedAt: Timestamp?
  /// A name for the commit by which a repeated write is recognised: a write with an id that the journal knows does
  /// nothing and answers with the commit that has it.
  public var commitID: ObjectID?
  /// What must still be true of the journal; checked before anything of the commit is done, and not kept in it.
  public var condition: AppendCondition?

  /// What a commit says beside its events.
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

  func checkLimits() throws(StoreError) {
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
