import DaybookEngine
import DaybookModel

/// The result of verifying a store, or the copy of one that a backup, a restore or a compaction made.
///
///     let result = try Store.verify(at: "recipes.daybook")
///     for fault in result.faults { print("\(fault.place): \(fault.message)") }
///
/// Each step of a verification depends only on parts that the preceding steps found sound:
///
/// 1. The pages of both files, with ordinary reads. The storage engine has no checksums and ends the process when it
///    meets a damaged page, so a file with faults there is not read any further.
/// 2. The journal: positions without a gap, each commit's header, seal and digest, the chain of hashes, times that
///    never run backwards, the models, the index of commit ids. Then all events are folded from an empty state, and
///    each is compared with the state before it: the former values that it contains, and the positions at which its
///    objects were touched last.
/// 3. The projections, row by row against the tables that this folding made. Derived entities are made again by the code
///    of their projection, or where that is missing from their recorded changes.
///
/// No bytes make it crash or hang: all contents of the files are treated as hostile. Nothing is written to the store,
/// except that projections with faults lose the journal's trust: they are discarded and rebuilt from the journal when
/// the store is opened or written to next, by any process, and by ``Store/verify(expecting:progress:)`` at once. The
/// store may be written to meanwhile: the state at the beginning is checked.
///
/// Not found: damage in free pages and in the unused space of pages, which is never read; and changes by an attacker
/// who recomputed all hashes, against which only a hash kept elsewhere helps (`expecting`).
public struct StoreVerification: Sendable, Hashable {
  /// The faults, in the order found; at most 100.
  public internal(set) var faults: [Fault] = []
  /// Whether there were more faults than are listed.
  package internal(set) var isCutShort = false
  /// Observations that are no faults, such as projections that opening the store will rebuild.
  public internal(set) var notes: [String] = []
  /// The position of the last commit.
  public internal(set) var head = Position.empty
  /// The hash of the last commit.
  public internal(set) var hash: Digest?
  /// The number of checked commits.
  package internal(set) var commitCount = 0
  /// The number of checked events.
  package internal(set) var eventCount = 0
  /// The number of compared rows of the projections.
  package internal(set) var rowCount = 0
  /// The number of pages in use in both files.
  package internal(set) var pageCount = 0
  /// The size of the journal of a copy, in bytes.
  package internal(set) var journalSizeInBytes = 0

  /// Whether the journal's pages, hash chain and commit digests are correct.
  ///
  /// Then its content is as it was written, whatever other faults are reported, and it can be copied.
  public internal(set) var isJournalWhole = true
  /// Whether all events of the journal could be folded, so that a store with it can be opened.
  package internal(set) var isJournalFoldable = true

  /// Whether there are no faults.
  public var isSound: Bool { faults.isEmpty }

  /// The suggested repair, or `nil` if there are no faults.
  public var advice: String? {
    if faults.isEmpty { return nil }
    if !faults.contains(where: { $0.part == .journal }) {
      return
        "Only the projections are damaged: they are discarded, and opening the store rebuilds them from the journal."
    }
    return isJournalWhole
      ? "The journal holds what was written, but its events contradict each other: restore a backup from before them, or copy it as it is."
      : "The journal is damaged: restore a backup."
  }

  /// The most faults that are listed.
  package static let maximumFaultCount = 100
}
