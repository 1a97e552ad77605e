import Daybook
import DaybookModel

extension Store {
  /// Returns the hash of a commit.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the journal lacks the commit.
  package func hash(at position: Position) throws -> Digest {
    try files.withJournal { try $0.header(at: position).hash }
  }

  /// Returns the names of the model that holds at a position.
  package func names(at position: Position) throws -> EventNames {
    try files.withJournal { try keeper.models.names(at: position, in: $0) }
  }
}
