/// Why git could not give a history.
package struct GitError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// There is no `git` command.
    case gitMissing
    /// The directory is in no repository, or in one that git refuses.
    case notARepository
    /// The repository, or the branch checked out, has no commits.
    case emptyRepository
    /// The repository has no such branch.
    case unknownBranch
    /// The branch does not hold the commit after which to continue.
    case historyDiverged
    /// Git ended with an error of its own.
    case failed
  }

  package let kind: Kind

  /// What is wrong, with the value at fault and git's own words, and what to do.
  package let message: String
}

extension GitError: CustomStringConvertible {
  package var description: String { message }
}
