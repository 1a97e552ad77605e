/// A line of commits, oldest first, each the first parent of the next.
package protocol GitCommitSource {
  /// Returns the next commit, or `nil` at the end of the history.
  mutating func next() throws -> GitCommit?
}
