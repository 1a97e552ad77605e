/// A commit with its changes of folders and files.
struct PreparedCommit: Sendable {
  /// The commit without its changes, which the operations replace.
  let commit: GitCommit
  let operations: [TreeOperation]

  /// The maximum number of events of the commit.
  ///
  /// A new object is inserted and related, a deleted one unrelated and deleted, and the revision and its author add
  /// three events.
  var eventCount: Int {
    operations.reduce(3) { count, operation in
      switch operation {
      case .insertFolder, .insertFile, .deleteFile, .deleteFolder: count + 2
      case .setFile, .rename, .move: count + 1
      }
    }
  }

  /// The approximate number of bytes in the journal.
  var sizeInBytes: Int { 256 + commit.message.utf8.count + 128 * operations.count }
}
