import DaybookEngine
import DaybookModel

/// The result of a backup, a restore or a compaction: the content of the copy.
///
/// There are three ways to copy a store, all of them safe while it is written to:
///
/// | | written | purpose |
/// |---|---|---|
/// | backup | one file: the journal without its free pages | keeping a copy |
/// | restore | a store, from such a file | recovery |
/// | compact | a store, with compact journal and projections | saving space |
///
///     let copy = try Store.backUp(at: "recipes.daybook", to: "recipes.backup")
///     print(copy.head, copy.hash)      // note them down: `verify --expect` and a restore can check them
///     try Store.restore("recipes.backup", to: "recovered.daybook")
///
/// A copy keeps the identity of the store. It is verified before it gets its final name, so a file or store with that
/// name is complete and on disk; any failure, such as a full disk, leaves nothing. Nothing is ever overwritten.
public struct StoreCopy: Sendable, Hashable {
  /// The position of the last commit in the copy.
  public let head: Position
  /// The hash of that commit.
  public let hash: Digest
  /// The size of the journal in the copy, in bytes.
  package let journalSizeInBytes: Int
  /// Faults that a verification reports although the journal is complete; usually empty.
  ///
  /// Events that contradict each other, or a rule of the model that the state breaks. The copy contains them too.
  public let warnings: [StoreVerification.Fault]
}
