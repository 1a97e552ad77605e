import DaybookModel

/// What a verification of a store found.
///
///     let result = try StoreVerification.verify(storeAt: "recipes.daybook")
///     for fault in result.faults { print("\(fault.location): \(fault.what)") }
///
/// A store is verified from the outside in, and nothing is looked at before what it rests on was found sound:
///
/// 1. The pages of both files, with ordinary reads. The storage engine has no checksums and takes the process down with
///    it when it meets a damaged page, so a file with faults there is not read any further.
/// 2. The journal: positions without a gap, each commit's header, seal and digest, the chain of hashes, times that never
///    run backwards, the models, the index of commit ids. Then all events are folded from nothing, and each is compared
///    with the state before it: the former values that it holds, and the positions at which its objects were touched
///    last.
/// 3. The projections, row by row against the tables that this folding gave.
///
/// No bytes make it crash or hang: all that the files hold counts as made by an enemy. Nothing is written to the store but
/// that projections with faults are not trusted any more: they are discarded and built again from the journal when the
/// store is opened or written to next, in whatever process, and by ``Store/verify(expecting:progress:)`` at once.
/// It may be verified while others write to it: what is checked is the state at the beginning.
///
/// What is not found: damage in free pages and in the unused room of pages, which nobody reads; and changes by somebody
/// who computed all hashes anew, against which only a hash that was kept elsewhere helps (`expecting`).
public struct StoreVerification: Sendable, Hashable {
  /// What a fault is in, and so what mends it.
  public enum Part: String, Sendable, Hashable {
    /// The truth itself; only a backup has it again.
    case journal
    /// What was folded from the journal; a rebuild makes it anew.
    case projections
  }

  /// Something that is not as it must be.
  public struct Fault: Sendable, Hashable, CustomStringConvertible {
    /// The part of the store that it is in.
    public let part: Part
    /// Where, such as `commit 7, event 2` or `page 12 of table objects.1`.
    public let location: String
    /// What is wrong there.
    public let what: String

    public var description: String { "\(location): \(what)" }
  }

  /// A hash that a commit must have, noted down when the store was known to be right.
  public struct Expectation: Sendable, Hashable {
    /// The commit.
    public let position: Position
    /// The hash that it had when somebody noted it.
    public let hash: Digest

    /// A commit that must have this hash.
    public init(position: Position, hash: Digest) {
      self.position = position
      self.hash = hash
    }

    /// Reads `POSITION:HASH`, as `daybook stats` prints head and hash; nil for anything else.
    public init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let number = UInt64(parts[0]), number > 0, let hash = Digest(parts[1]) else { return nil }
      self.init(position: Position(number), hash: hash)
    }
  }

  /// What is wrong, in the order found; at most ``maximumFaultCount``.
  public internal(set) var faults: [Fault] = []
  /// Whether there was more than is listed.
  public internal(set) var isCutShort = false
  /// What is worth knowing and no fault, such as projections that will be built again when the store is opened.
  public internal(set) var notes: [String] = []
  /// The last commit that was found.
  public internal(set) var head = Position.empty
  /// The hash of the last commit.
  public internal(set) var hash: Digest?
  /// How many commits were checked.
  public internal(set) var commitCount = 0
  /// How many events were checked.
  public internal(set) var eventCount = 0
  /// The rows of the projections that were compared.
  public internal(set) var rowCount = 0
  /// The pages in use of both files.
  public internal(set) var pageCount = 0

  /// Whether the pages of the journal, the chain of its hashes and the digests of its commits are right.
  ///
  /// It holds what was written then, whatever else is reported of it, and can be copied.
  public internal(set) var isJournalWhole = true
  /// Whether the events of the journal could be folded up to its end, so that a store of it can be opened.
  public internal(set) var isJournalFoldable = true

  /// Whether nothing is wrong.
  public var isSound: Bool { faults.isEmpty }

  /// What to do about the faults; nil if there are none.
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

  /// How many faults are listed.
  public static let maximumFaultCount = 100
}

extension StoreVerification {
  /// Verifies a store, or a backup file, that this process does not have open.
  ///
  ///     let result = try StoreVerification.verify(storeAt: path, expecting: [noted]) { show($0) }
  ///
  /// Other processes may have it open and write to it. One that this process has open is verified by
  /// ``Store/verify(expecting:progress:)``.
  ///
  /// - Parameters:
  ///   - path: A store's directory, or a file that a backup was written to.
  ///   - expectations: Hashes that commits must have.
  ///   - options: How the store would be opened; `rebuildMemoryInBytes` limits what is kept in memory.
  ///   - progress: Told now and then how far it is.
  /// - Throws: `StoreError`: `notFound`, `notAStore` if there is no journal at the path, `exists` if this process has
  ///   it open, `full` if the directory for temporary files is, `inputOutput`. What is wrong with the contents is never
  ///   thrown.
  /// - Complexity: As a rebuild: O(*n* log *n*) for *n* events. The tables are built once more, in a temporary file.
  public static func verify(
    storeAt path: String, expecting expectations: [Expectation] = [], options: StoreOptions = StoreOptions(),
    progress: ((Progress) -> Void)? = nil
  ) throws -> StoreVerification {
    do {
      let verifier = StoreVerifier(expectations: expectations, options: options, progress: progress)
      return try verifier.verify(path)
    } catch {
      throw StoreError.translating(error)
    }
  }
}

extension Store {
  /// Verifies this store while it is open; see ``StoreVerification``.
  ///
  /// Others may go on reading and writing. While it runs, the space of later commits grows the files instead of being
  /// used again. Projections with faults are built again before it returns.
  ///
  /// - Throws: `StoreError`: `closed`, `full` if the directory for temporary files is, `inputOutput`.
  public func verify(
    expecting expectations: [StoreVerification.Expectation] = [], progress: ((Progress) -> Void)? = nil
  ) throws -> StoreVerification {
    try checkOpen()
    do {
      let verifier = StoreVerifier(expectations: expectations, options: options, progress: progress)
      let opened = currentProjections
      let result = try verifier.verify(journalEnvironment, opened.environment)
      if result.faults.contains(where: { $0.part == .projections }), result.isJournalFoldable {
        try discardProjections(opened)
      }
      return result
    } catch {
      throw StoreError.translating(error)
    }
  }
}
