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
  /// What the application notes about the commit; see ``CommitMetadata`` for the limits.
  public var metadata: CommitMetadata
  /// The earlier commit of this store that caused this one.
  public var causation: CommitReference?
  /// The name that all commits of one flow share; at most 200 bytes.
  public var correlation: String?
  /// A condition on the journal, checked before the closure runs; not stored in the commit.
  public var condition: AppendCondition?
  /// The commits that the commit undoes.
  package var undoes = PositionList()
  /// The commits that the commit redoes.
  package var redoes = PositionList()

  /// Makes the description of a commit.
  public init(
    author: String? = nil, message: String? = nil, happenedAt: Timestamp? = nil, commitID: ObjectID? = nil,
    metadata: CommitMetadata = [:], causedBy causation: CommitReference? = nil, correlation: String? = nil,
    when condition: AppendCondition? = nil
  ) {
    self.author = author
    self.message = message
    self.happenedAt = happenedAt
    self.commitID = commitID
    self.metadata = metadata
    self.causation = causation
    self.correlation = correlation
    self.condition = condition
  }

  /// Returns why the commit is written, in stored form.
  ///
  /// - Throws: `StoreError`: `badValue` for metadata that are no scalars of JSON, `tooLarge` for an exceeded limit.
  package func reasons() throws(StoreError) -> CommitReasons {
    var reasons = CommitReasons()
    if !metadata.isEmpty {
      do {
        reasons.metadata = try metadata.checkedBytes()
      } catch {
        throw StoreError(error.isTooLarge ? .tooLarge : .badValue, "In the metadata of the commit, \(error).")
      }
    }
    (reasons.causation, reasons.correlation) = (causation, correlation)
    (reasons.undoes, reasons.redoes) = (undoes, redoes)
    return reasons
  }

  package func checkLimits() throws(StoreError) {
    if let correlation, correlation.utf8.count > CommitLimits.maximumCorrelationSizeInBytes {
      throw StoreError(
        .tooLarge,
        "The correlation has \(correlation.utf8.count) bytes; \(CommitLimits.maximumCorrelationSizeInBytes) are allowed."
      )
    }
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
