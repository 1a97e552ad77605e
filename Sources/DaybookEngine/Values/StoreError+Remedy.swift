extension StoreError {
  /// What the caller can do about an error.
  ///
  /// The cases are remedies that a program calls and a person types: the library names the call, and the command the
  /// subcommand. All other advice is a text.
  package enum Remedy: Hashable, Sendable {
    case text(String)
    /// To verify the store.
    case verify
    /// To verify the store and, if its journal is damaged, to restore a backup.
    case verifyAndRestore
    /// To verify the store that was copied.
    case verifySource
    /// To create the store.
    case create
    /// To find out when an object was deleted.
    case readHistory
    /// To list the commits that a projection has left out.
    case listQuarantine
    /// To list the projections.
    case listProjections
    /// To save the own commits of a forked node, and to follow the stream again.
    case resolveFork
    /// To create a store in a stream.
    case createInStream
    /// To make a deleted stream again, for the nodes that have its commits.
    case recreateStream
    /// To join the stream that has a store.
    case joinStream
  }
}

extension StoreError.Remedy: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self = .text(text) }
}

extension StoreError.Remedy {
  /// The advice in terms of the library's interface.
  package var text: String {
    switch self {
    case .text(let text): text
    case .verify: "Verify the store with `Store.verify()`."
    case .verifyAndRestore: "Verify the store with `Store.verify(at:)`, and restore a backup."
    case .verifySource: "Verify the store that it was copied from with `Store.verify(at:)`."
    case .create: "Open it with a model, which creates it."
    case .readHistory: "It may have been deleted; `Store.history(of:)` shows when."
    case .listQuarantine: "`StoreProjection.quarantine()` lists the commits that are left out."
    case .listProjections: "`Store.projections()` lists the projections of the store."
    case .resolveFork:
      "The store can be read. Save the commits of this node, and remove them with `Replication.resolve(at:)`, to follow again."
    case .createInStream: "Create it with `Replication.create(at:model:options:)`."
    case .recreateStream:
      "If it was deleted, make an empty one with its name and settings; the next write of this node fills it."
    case .joinStream: "Join it with `Replication.join(at:options:)`, or name another stream."
    }
  }
}
