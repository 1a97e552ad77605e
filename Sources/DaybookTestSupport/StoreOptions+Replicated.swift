import Daybook

extension StoreOptions {
  /// Returns these options for a node of a stream, whose kind of servers the tests have made known.
  package func replicated(on address: JournalAddress) -> StoreOptions {
    var options = self
    options.journal = ReplicatedJournal.known(at: address)
    return options
  }
}
