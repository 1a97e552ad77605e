import Daybook
import DaybookEngine
import DaybookModel

extension Store {
  /// The hashes of all commits.
  package func hashes() throws -> [Digest] {
    try files.withJournal { journal in
      var hashes: [Digest] = []
      try journal.forEachCommit(from: 1, through: nil) { commit in
        hashes.append(commit.hash)
        return true
      }
      return hashes
    }
  }
}
