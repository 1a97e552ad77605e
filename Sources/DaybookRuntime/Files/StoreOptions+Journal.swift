import DaybookEngine

extension StoreOptions {
  /// Whether a store with these options can reach the servers of an address.
  func reaches(_ address: JournalAddress) -> Bool { kind(of: address) != nil }

  /// Makes the stream of an address, without connecting, or returns `nil` if its kind is not given.
  package func stream(at address: JournalAddress) -> (any CommitStream)? { kind(of: address)?.connect(address) }

  private func kind(of address: JournalAddress) -> ReplicatedJournal? {
    ([journal].compactMap { $0 } + ReplicatedJournal.known.withLock { $0 }).first { $0.reaches(address) }
  }
}
