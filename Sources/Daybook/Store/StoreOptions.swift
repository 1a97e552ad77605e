import DaybookModel
import Foundation
import Logging

/// How a store is opened.
public struct StoreOptions: Sendable {
  /// What a commit survives.
  public enum Durability: Sendable, Hashable {
    /// When a write returns, its commit is on disk: it survives loss of power. Two flushes a commit.
    case full
    /// A crash of the operating system may lose the last commit, or those that share its flush (of a batch, or of writers
    /// that came at once), and never damages the store. One flush a commit.
    case relaxed
  }

  /// What becomes of a store that a later version of Daybook wrote to, in a way that this one may pass over.
  public enum NewerVersionPolicy: Sendable, Hashable {
    /// It is not opened.
    case fail
    /// It can be read, without what is unknown; writes are refused.
    case readOnly
    /// It can be written to as well. What is unknown stays in the journal as it is, and is left out of everything else:
    /// rules that only the later version knows are not kept.
    case ignore
  }

  /// What is on disk when a write returns.
  public var durability = Durability.full
  /// What becomes of a store that a later version wrote to. What cannot be passed over is refused in any case.
  public var newerVersion = NewerVersionPolicy.fail
  /// The address space reserved for the journal, in bytes. It costs nothing until it is used, and grows when it is full.
  public var journalMapSizeInBytes = 256 << 30
  /// The address space reserved for the projections, in bytes.
  public var projectionsMapSizeInBytes = 256 << 30
  /// What a rebuild may keep in memory before it writes, in bytes.
  public var rebuildMemoryInBytes = 256 << 20
  /// What a view of the past that is kept, or a live feed that catches up, may hold in memory, in bytes. A view that
  /// outgrows it throws ``StoreError/Code/expired``, a feed gives a reset.
  public var viewOfPastLimitInBytes = 64 << 20
  /// After how many events a snapshot is made: a copy of the projections on disk, from which the past around it is read
  /// and projections begin that cannot be trusted. 0 makes none.
  ///
  /// A position in the middle between two is half as many events away from either.
  public var snapshotIntervalInEvents = 500_000
  /// How many snapshots are kept. Each takes the room of the projections at its position; in a store of more events than
  /// this many intervals they stand further apart. 0 makes none.
  public var maximumSnapshotCount = 3
  /// Network file systems lose locks and tear maps, so a store on one is refused unless this is set.
  public var allowsNetworkFileSystem = false
  /// Says what time it is. Recorded times never run backwards, even if the clock does.
  public var clock: @Sendable () -> Timestamp = StoreOptions.systemClock
  /// Makes the random bits of new identities.
  public var randomBits: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  /// The projections of your own that this process knows; see ``Projection``.
  public var projections: [any Projection] = []
  /// Whether a thread keeps the catch-up projections up to date while the store is open. Without it they take in what is
  /// new when they are told to, by ``Store/catchUp(_:progress:)`` or by somebody who waits.
  public var followsProjections = true
  /// Where the store says what it mends.
  public var logger: Logger?
  /// Whether all pages of the projections are checked before they are used; those with faults are built again. For when
  /// damage is suspected: it reads the whole file.
  package var checksProjectionPages = false
  /// The most commits that a projection takes in in one transaction.
  package var projectionBatchLimit = 4_096
  /// What identifies the run of the operating system; nil asks it.
  package var bootIdentifier: String?
  /// How often a writer frees what readers that have died keep.
  package var readerCheckInterval = Duration.seconds(10)
  /// The most table handles of the projections; each rebuild takes some new ones.
  package var maximumTableCount = 1_024
  /// What identifies the mount of the projections' volume; nil asks the operating system.
  package var mountIdentifier: UInt64?
  /// Called at named points of a write; tests end the process there.
  package var probe: (@Sendable (WriteProbe) -> Void)?

  /// The options that a store has unless told otherwise.
  public init() {}

  /// The time of the system's real-time clock.
  public static let systemClock: @Sendable () -> Timestamp = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }
}

/// Points of a write at which a crash would be telling.
package enum WriteProbe: String, Sendable, CaseIterable {
  /// The layer is flushed; neither environment is committed.
  case beforeJournalCommit
  /// The journal is durable and the projections are behind it.
  case betweenCommits
  case afterProjectionsCommit
  /// Projections were discarded and others begun; the journal does not yet trust these.
  case afterProjectionsBegin
  /// The rows of a user's projection are flushed, and not committed.
  case beforeProjectionCommit
  /// They are committed; no effect has left the store.
  case afterProjectionCommit

  /// Those of a commit.
  package static let ofCommits: [WriteProbe] = [.beforeJournalCommit, .betweenCommits, .afterProjectionsCommit]
}
