import DaybookEngine
import DaybookModel

/// The kinds of streams that this process can use; a library for one registers itself.
package enum CommitStreams {
  package typealias Opening = @Sendable (JournalAddress) -> any CommitStream

  /// By the scheme of the servers' URLs.
  private static let openings = Locked<[String: Opening]>([:])

  /// Makes a kind of stream known to all stores that are opened from now on.
  ///
  /// - Parameters:
  ///   - schemes: The schemes of the servers' URLs.
  ///   - open: Makes the stream of an address, without connecting.
  package static func register(_ schemes: [String], _ open: @escaping Opening) {
    openings.withLock { openings in
      for scheme in schemes { openings[scheme] = open }
    }
  }

  /// Makes the stream of an address, or returns `nil` if this process cannot.
  package static func open(_ address: JournalAddress) -> (any CommitStream)? { opening(for: address)?(address) }

  /// Whether this process can make the stream of an address.
  static func canOpen(_ address: JournalAddress) -> Bool { opening(for: address) != nil }

  private static func opening(for address: JournalAddress) -> Opening? {
    guard let scheme = address.servers.first?.split(separator: ":").first else { return nil }
    return openings.withLock { $0[String(scheme)] }
  }

  /// The error of a process that has no such library.
  package static func missing(_ path: String) -> StoreError {
    StoreError(
      .readOnly, "The journal of \(path) is replicated, and this program cannot reach its servers.",
      advice: "Link the library DaybookJetStream, and call `JetStream.register()` before opening the store.")
  }
}
