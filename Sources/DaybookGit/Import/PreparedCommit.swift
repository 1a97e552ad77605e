/// A commit with what it does to the folders and files.
struct PreparedCommit: Sendable {
  /// Without its changes, which the operations say better.
  let commit: GitCommit
  let operations: [TreeOperation]

  /// How many events the commit will have at most: an object that appears is inserted and related, one that goes is
  /// unrelated and deleted, and the revision and its author come with three.
  var eventCount: Int {
    operations.reduce(3) { count, operation in
      switch operation {
      case .insertFolder, .insertFile, .deleteFile, .deleteFolder: count + 2
      case .setFile, .rename, .move: count + 1
      }
    }
  }

  /// About how many bytes it takes in the journal.
  var sizeInBytes: Int { 256 + commit.message.utf8.count + 128 * operations.count }
}
