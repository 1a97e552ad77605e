import DaybookEngine
import DaybookModel

/// A kind of servers that keep replicated journals, with the address of a journal.
///
///     var options = StoreOptions()
///     options.journal = .jetStream()                        // stores that have their address
///     options.journal = .jetStream(try JournalAddress(parsing: "nats://one.example,two.example/kitchen"))
///
/// The library DaybookJetStream has the kind `jetStream`. A store keeps its address in its directory; only what makes a node
/// (``Replication/create(at:model:serverCount:options:)``, ``Replication/join(at:fromBackup:options:)``) needs one here. A
/// store with a replicated journal that is opened without its kind can be read, and each write throws
/// ``StoreError/Code/readOnly``.
public struct ReplicatedJournal: Sendable {
  /// The servers and the name of the stream; `nil` for stores that have their address.
  package var address: JournalAddress?
  private let schemes: [String]
  let connect: @Sendable (JournalAddress) -> any CommitStream

  /// - Parameters:
  ///   - schemes: The schemes of the servers' URLs.
  ///   - connect: Makes the stream of an address, without connecting.
  package init(
    at address: JournalAddress?, schemes: [String], connect: @escaping @Sendable (JournalAddress) -> any CommitStream
  ) {
    (self.address, self.schemes, self.connect) = (address, schemes, connect)
  }

  /// The kinds of all stores of the process, beside those of the options: tests open stores with options of their own.
  static let known = Locked<[ReplicatedJournal]>([])

  /// Makes a kind known to all stores that are opened from now on.
  package static func makeKnown(_ journal: ReplicatedJournal) { known.withLock { $0.append(journal) } }

  /// Returns the known kind of an address, with the address.
  package static func known(at address: JournalAddress) -> ReplicatedJournal? {
    var journal = known.withLock { $0 }.first { $0.reaches(address) }
    journal?.address = address
    return journal
  }

  func reaches(_ address: JournalAddress) -> Bool {
    guard let scheme = address.servers.first?.split(separator: ":").first else { return false }
    return schemes.contains(String(scheme))
  }
}
