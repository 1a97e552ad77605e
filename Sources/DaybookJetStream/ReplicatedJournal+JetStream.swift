#if JetStream

import Daybook

extension ReplicatedJournal {
  /// Journals on NATS JetStream.
  ///
  ///     var options = StoreOptions()
  ///     options.journal = .jetStream()
  ///     let store = try Store(at: "kitchen.daybook", options: options)     // follows its stream, and publishes to it
  ///
  /// A store whose directory has the file `journal.json` keeps its journal in a stream of NATS servers, beside its own copy.
  ///
  /// - Parameter address: The servers and the name of the stream, for a store that becomes a node; `nil` for stores that have
  ///   their address.
  public static func jetStream(_ address: JournalAddress? = nil) -> ReplicatedJournal {
    ReplicatedJournal(at: address, schemes: ["nats", "tls"]) { JetStreamCommitStream($0) }
  }
}

#else

import Daybook

extension ReplicatedJournal {
  /// Needs the trait `JetStream` of the package.
  @available(
    *, unavailable,
    message: "DaybookJetStream needs the trait JetStream: add traits: [\"JetStream\"] to the dependency on the package"
  )
  public static func jetStream(_ address: JournalAddress? = nil) -> ReplicatedJournal {
    fatalError("The trait JetStream is off.")
  }
}

#endif
