/// A line of commits, oldest first, each the first parent of the next.
package protocol GitCommitSource {
  /// The next commit, or `nil` at the end of the history.
  mutating func next() throws -> GitCommit?
}
