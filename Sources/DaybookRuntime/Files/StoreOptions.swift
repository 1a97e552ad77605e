import DaybookEngine
import DaybookModel
import Foundation
import LMDB
import Logging

/// How a store is opened.
public struct StoreOptions: Sendable {
  /// The failures that a commit survives.
  public enum Durability: Sendable, Hashable {
    /// When a write returns, its commit is on disk and survives a power failure. Two flushes per commit.
    case full
    /// A crash of the operating system may lose the last commit, but never damages the store. One flush per commit.
    ///
    /// Opening, the first commit after opening and commits that cause effects of projections need a second flush.
    ///
    /// If several commits share the last flush (of a batch, or of concurrent writers), all of them may be lost.
    case relaxed
  }

  /// How to treat a store to which a later version of Daybook added parts that may be skipped.
  public enum NewerVersionPolicy: Sendable, Hashable {
    /// The store is not opened.
    case fail
    /// The store can be read, without the unknown parts; writes throw.
    case readOnly
    /// The store can be written to as well.
    ///
    /// Unknown parts stay in the journal unchanged, and are left out of everything else: rules that only the later
    /// version knows are not enforced.
    case ignore
  }

  /// What is on disk when a write returns.
  public var durability = Durability.full
  /// How to treat a store that a later version wrote to. Parts that must not be skipped always make opening throw.
  public var newerVersion = NewerVersionPolicy.fail
  /// Whether a store that has another model than the one it is opened with gets that model, as by `Store.apply(_:checking:info:)`.
  ///
  /// A model that the store had before is never applied again by this: a program of an earlier version does not take back
  /// what a later one has changed, and cannot open the store with its model.
  public var appliesModel = false
  /// The address space reserved for the journal, in bytes.
  ///
  /// It uses no memory until it is filled, and grows when it is full.
  public var journalMapSizeInBytes = 256 << 30
  /// The address space reserved for the projections, in bytes.
  public var projectionsMapSizeInBytes = 256 << 30
  /// The memory that a rebuild may use before it writes, and a snapshot of a projection's rows before it is folded in
  /// temporary files, in bytes.
  public var rebuildMemoryInBytes = 256 << 20
  /// The memory that a retained view of the past or a live feed may use, in bytes.
  ///
  /// For a feed it limits catching up. A view that outgrows it throws ``StoreError/Code/expired``; a feed reports a
  /// reset.
  public var viewOfPastLimitInBytes = 64 << 20
  /// After how many events a snapshot is made. 0 disables snapshots.
  ///
  /// A snapshot is a copy of the projections on disk, from which reads of positions around it start, and from which
  /// projections are restored that cannot be trusted. It is made in a pause of writing, at the latest when twice as many
  /// events were written, or as many as there were at the last one. Larger gaps than one and a half intervals are filled
  /// in a pause.
  public var snapshotIntervalInEvents = 500_000
  /// How many snapshots are kept. 0 disables snapshots.
  ///
  /// Each takes as much space as the projections at its position. In a store with more events than this many intervals,
  /// the snapshots are further apart.
  public var maximumSnapshotCount = 3
  /// From which age on a reader is reported to the ``logger``, once, as a warning.
  ///
  /// While a read transaction is open, in any process, the space that commits free is not used again, and the files grow
  /// with each commit. Readers are compared when a store is opened and by writers every ten seconds, so an age is known
  /// only since the first of these checks. The oldest reader is also in the output of `daybook stats`.
  public var readerAgeLimit = Duration.seconds(60)
  /// The time that the filters and rules of one write may take together; `nil` for any time.
  ///
  /// They are evaluated under the write lock, which others wait for: the condition of the write, what its closure fetches,
  /// changes and deletes by a request, and the rules of the model. A write that takes longer throws
  /// ``StoreError/Code/timedOut``, and nothing of it is written. The closure's own code and the writing of its events do not
  /// count.
  public var writeEvaluationTimeLimit: Duration? = .seconds(10)
  /// How long an operation that does not write waits for a writer, where it cannot do without the write lock.
  ///
  /// That is so if the projections of a store have to be built, or were damaged, or a caller waits for the rows of a
  /// ``Projection``; it throws ``StoreError/Code/busy`` then.
  /// Everything else that reads waits for no writer.
  public var readerLockTimeLimit = Duration.seconds(30)
  /// Whether a store may be on a network file system.
  ///
  /// Locks and memory maps are unreliable there.
  public var allowsNetworkFileSystem = false
  /// Returns the present time. Recorded times never run backwards, even if the clock does.
  public var clock: @Sendable () -> Timestamp = StoreOptions.systemClock
  /// Makes the random bits of new identities.
  public var randomBits: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  /// The user-defined projections that this process runs; see ``Projection``.
  public var projections: [any Projection] = []
  /// Whether a thread keeps the catch-up projections up to date while the store is open.
  ///
  /// Without it they apply new commits only in ``StoreProjection/catchUp(progress:)``, or when a caller waits for them.
  public var followsProjections = true
  /// The source of the orders of languages, for models and requests that name a locale; `nil` if the program has none.
  ///
  /// The whole process knows it from the assignment on: whatever is done with these options may be the first to read a
  /// model that names a locale.
  public var collation: LocaleCollation? {
    didSet { collation?.makeKnown() }
  }
  /// The kind of servers of a replicated journal; `nil` if the program reaches none.
  public var journal: ReplicatedJournal?
  /// How a store with a replicated journal writes and follows.
  public var replication = ReplicationOptions()
  /// Receives messages about repairs.
  public var logger: Logger?
  /// The application's own checks of objects at the end of each commit.
  package internal(set) var validations = Validations()
  /// Whether all pages of the projections are checked before use.
  ///
  /// Projections with faults are rebuilt. Meant for suspected damage, as it reads the whole file.
  package var checksProjectionPages = false
  /// The most commits that a projection applies in one transaction.
  package var projectionBatchLimit = 4_096
  /// The most commits that are undone in memory for a projection that reads the store at each commit; for more of them the
  /// store is folded again.
  package var projectionRewindLimit: UInt64 = 4_096
  /// The number of the last commits whose changes are kept for a projection that keeps no history.
  package var keptCommitCount: UInt64 = 1_024
  /// The most rows of which a live request stores the sort keys though an index has them.
  package var keptKeyCount = 256
  /// The identifier of the operating system's run; if `nil`, the system is asked.
  package var bootIdentifier: String?
  /// How often a writer frees the pages that dead readers retain.
  package var readerCheckInterval = Duration.seconds(10)
  /// The most table handles of the projections; each rebuild uses some new ones.
  package var maximumTableCount = 1_024
  /// The identifier of the mount of the projections' volume; if `nil`, the system is asked.
  package var mountIdentifier: UInt64?
  /// Called at named points of a write; tests end the process at these points.
  package var probe: (@Sendable (WriteProbe) -> Void)?
  /// Called at the moments that benchmarks measure.
  var momentProbe: (@Sendable (MeasuredMoment) -> Void)?

  /// Makes the default options.
  public init() {}

  /// Returns the time of the system's real-time clock.
  package static let systemClock: @Sendable () -> Timestamp = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }
}

/// Points of a write at which tests simulate a crash.
package enum WriteProbe: String, Sendable, CaseIterable {
  /// The layer is flushed; neither environment is committed.
  case beforeJournalCommit
  /// The journal is durable and the projections are behind it.
  case betweenCommits
  case afterProjectionsCommit
  /// New projections replace discarded ones; the journal does not yet trust them.
  case afterProjectionsBegin
  /// The rows of a user-defined projection are flushed, but not committed.
  case beforeProjectionCommit
  /// The rows are committed; no effect has been performed.
  case afterProjectionCommit

  /// The points of a commit.
  package static let ofCommits: [WriteProbe] = [.beforeJournalCommit, .betweenCommits, .afterProjectionsCommit]
}

extension StoreOptions {
  /// Makes an identity from the clock and random bits.
  package func makeID() -> ObjectID {
    let milliseconds = UInt64(max(0, clock().microseconds / 1_000))
    return ObjectID(milliseconds: milliseconds, random: (randomBits(), randomBits()))
  }

  /// These options for the private copy of a store, which makes no snapshots because no later opening reads them.
  var forWorkingCopy: StoreOptions {
    var options = self
    options.snapshotIntervalInEvents = 0
    return options
  }
}

extension StoreOptions.NewerVersionPolicy {
  /// - Throws: `StoreError` with the code `newerFormat` if the store cannot be opened, or the policy forbids it.
  func check(_ format: StoreFormat, path: String) throws(StoreError) {
    if format.isKnown { return }
    guard format.isReadable else {
      throw StoreError(
        .newerFormat,
        "The store \(path) has format \(format.version); this version of Daybook reads up to \(JournalMeta.formatVersion).",
        advice: "Update Daybook.")
    }
    guard self == .fail else { return }
    throw StoreError(
      .newerFormat,
      "The store \(path) has format \(format.version), of which this version of Daybook knows \(JournalMeta.formatVersion).",
      advice: "Update Daybook, or open the store for reading what is known.")
  }

  /// - Throws: `StoreError` with the code `newerFormat` if the store may only be read.
  func checkWritable(_ format: StoreFormat, path: String) throws(StoreError) {
    if format.isKnown || self == .ignore { return }
    throw StoreError(
      .newerFormat,
      "The store \(path) has format \(format.version), and is opened only for reading what is known of it.",
      advice: "Update Daybook to write to it.")
  }
}
