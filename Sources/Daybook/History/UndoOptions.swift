import DaybookRuntime

/// How commits are undone.
public struct UndoOptions: Hashable, Sendable {
  package var info: CommitInfo
  package var isForced: Bool

  /// Makes options.
  ///
  /// - Parameters:
  ///   - info: The information of the new commit. Without an author it is the one whose commits are undone; without a
  ///     message it names the commits. If there are several new commits, the id is that of the last one.
  ///   - isForced: Whether conflicts are overwritten. What cannot be written is left out and reported: changes of
  ///     objects that are gone, and of the last commits of an author also those that would break a rule of the model.
  public init(_ info: CommitInfo = CommitInfo(), force isForced: Bool = false) {
    (self.info, self.isForced) = (info, isForced)
  }

  /// The options that overwrite conflicts.
  package static let force = UndoOptions(force: true)
}
