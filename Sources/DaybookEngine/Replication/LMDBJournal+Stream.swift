import DaybookModel

extension LMDBJournal {
  /// Returns how far the node has folded the stream, or `nil` if it never has.
  package func streamPlace() throws -> StreamPlace? { try meta(StreamPlace.key).map { try StreamPlace($0) } }

  /// Returns where this journal and the stream differ, or `nil` if no difference is known.
  package func streamFork() throws -> StreamFork? { try meta(StreamFork.key).map { try StreamFork($0) } }
}
