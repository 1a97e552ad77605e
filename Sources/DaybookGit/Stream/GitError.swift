/// The reason why git could not provide a history.
package struct GitError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// There is no `git` command.
    case gitMissing
    /// The directory is in no repository, or in a repository that git refuses.
    case notARepository
    /// The repository, or the branch checked out, has no commits.
    case emptyRepository
    /// The repository has no such branch.
    case unknownBranch
    /// The branch does not contain the commit after which to continue.
    case historyDiverged
    /// Git failed with an error of its own.
    case failed
  }

  package let kind: Kind

  /// The fault, with the faulty value, git's own message, and the remedy.
  package let message: String
}

extension GitError: CustomStringConvertible {
  package var description: String { message }
}
