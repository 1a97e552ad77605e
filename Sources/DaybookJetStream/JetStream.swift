import Daybook

/// The replicated journal on NATS JetStream.
///
///     JetStream.register()
///     let store = try Store(at: "kitchen.daybook")     // follows its stream, and publishes to it
///
/// A store whose directory has the file `journal.json` keeps its journal in a stream of NATS servers, beside its own copy.
/// A program that does not register this library can read such a store, and each write throws `StoreError` with the code
/// `readOnly`.
public enum JetStream {
  /// Makes the servers known to all stores that the process opens from now on; further calls have no effect.
  public static func register() { registered }

  private static let registered: Void = CommitStreams.register(["nats", "tls"]) { JetStreamCommitStream($0) }
}
