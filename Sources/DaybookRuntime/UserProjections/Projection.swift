import DaybookEngine
import DaybookModel

/// User-defined state that is folded from the journal, such as counts or a search index.
///
///     struct Renames: Projection {
///       let name = "renames"
///       let version = 1
///
///       func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {
///         guard event.kind == .renamed else { return }
///         try context.increment(event.object.bytes, by: 1, in: "count")
///       }
///     }
///
///     var options = StoreOptions()
///     options.projections = [Renames()]
///     let store = try Store(at: path, options: options)
///     try await store.projection("renames").wait(for: position)
///     let count = try store.projection("renames").read { try $0.integer(id.bytes, in: "count") }
///
/// The rows are stored in the store's projections environment and are disposable: they can be rebuilt from the journal.
/// Rows and checkpoint are written in one transaction, so that an event is never applied twice and never omitted,
/// whenever the process ends.
///
/// The rows must follow from the events and the projection's own rows alone: no clock, no random number, no answer of
/// another system. Then a rebuild produces the same rows. A projection may be called from any thread, but by only one
/// thread of all processes at a time.
public protocol Projection: Sendable {
  /// The name in the store: 1 to 64 ASCII letters, digits, hyphens and underscores.
  ///
  /// The names of the built-in projections are reserved.
  var name: String { get }

  /// The version of the projection's code and rows, from 1.
  ///
  /// If it is higher than the version in the store, new rows are built beside the old ones; a process that knows only a
  /// lower version is refused.
  var version: Int { get }

  /// When events are applied.
  var mode: ProjectionMode { get }

  /// What happens to an event on which the projection throws.
  var onFailure: ProjectionFailurePolicy { get }

  /// Whether folding the journal again always makes the same rows; `false` unless the projection declares it.
  ///
  /// A verification then folds the projection again, without its effects, and reports each row that differs. The promise
  /// includes events that were retried, which are applied late: if their order matters, rows may be reported until the
  /// projection is rebuilt. Faults are repaired by building the projections of the store again, so a projection that makes the
  /// promise and breaks it causes that with each verification. Derived entities are a promise by themselves: a projection
  /// with ``entities`` is always folded again.
  var isDeterministic: Bool { get }

  /// The derived entities that the projection writes; none by default. Names that begin with `@` are Daybook's own.
  var entities: [DerivedEntity] { get }

  /// The names of earlier projections of ``StoreOptions/projections`` whose rows ``AppliedCommit/before`` and
  /// ``AppliedCommit/after`` show; none by default.
  ///
  /// The rows are as the commit left them. So a projection is applied only up to the checkpoints of the ones that it reads, and
  /// is built again after they are. An inline projection reads inline ones only.
  var reads: [String] { get }

  /// Applies a commit to the derived entities.
  ///
  /// It is called for each commit, also for commits of a model, if there are any ``Projection/entities``.
  ///
  /// If it throws, what the call wrote is undone, and ``Projection/onFailure`` determines how the projection continues;
  /// the failure counts as event 0 of the commit.
  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws

  /// Applies the beginning of a commit.
  ///
  /// It is called for each commit before the events of the commit; a commit of a model has no events.
  ///
  /// If it throws, the failure counts as event 0 of the commit, and what the call wrote is undone.
  func begin(_ commit: ProjectedCommit, in context: borrowing ProjectionContext) throws

  /// Applies an event.
  ///
  /// If it throws, what the call wrote is undone, and ``Projection/onFailure`` determines how the projection continues.
  func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws
}

extension Projection {
  public var mode: ProjectionMode { .catchUp }
  public var onFailure: ProjectionFailurePolicy { .stop }
  public var isDeterministic: Bool { false }
  public var entities: [DerivedEntity] { [] }
  public var reads: [String] { [] }
  public func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {}
  public func begin(_ commit: ProjectedCommit, in context: borrowing ProjectionContext) throws {}
  public func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {}
}

/// When a projection applies events.
public enum ProjectionMode: String, Sendable, Hashable {
  /// With every commit of a process that knows the projection.
  ///
  /// The rows become visible together with the commit. Commits of processes that do not know the projection are applied
  /// before the next write or read. Every write pays for the projection.
  case inline
  /// After the commits, on a thread of its own.
  case catchUp
}

/// What happens to an event on which a projection throws.
///
/// The commit stays in any case, because the journal is authoritative.
public enum ProjectionFailurePolicy: String, Sendable, Hashable {
  /// The projection stops before the event's commit, until the event is skipped or retried.
  case stop
  /// The event is quarantined with its reason, and the projection continues.
  case quarantine
}

/// The description of a commit that a projection receives.
public struct ProjectedCommit: Sendable, Hashable {
  /// The commit's position.
  public let position: Position
  /// The time when the commit happened if it is known, else the time when it was recorded.
  public let time: Timestamp
  /// The time when the commit was recorded.
  public let recordedAt: Timestamp
  /// The author, if the commit has one.
  public let author: String?
  /// The message, if the commit has one.
  public let message: String?
  /// The id that the writer assigned to the commit, if any.
  public let commitID: ObjectID?
  /// The commit that is named as the cause, if any.
  public let causation: CommitReference?
  /// The name that all commits of one flow share, if any.
  public let correlation: String?
  /// The canonical JSON of the metadata.
  private let metadataBytes: [UInt8]
  /// The number of events; 0 for a commit of a model.
  public let eventCount: Int
  /// Whether it is the commit of a model, which has no events.
  public let isModel: Bool

  init(_ header: CommitHeader) {
    position = header.position
    time = header.time
    recordedAt = header.recordedAt
    author = header.author
    message = header.message
    commitID = header.commitID
    causation = header.reasons.causation
    correlation = header.reasons.correlation
    metadataBytes = header.reasons.metadata
    eventCount = header.eventCount
    isModel = header.isModel
  }

  /// Returns what the application noted about the commit.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the metadata cannot be read.
  /// - Complexity: O(*n*) for *n* bytes: they are decoded by each call.
  public func metadata() throws -> CommitMetadata {
    do {
      return metadataBytes.isEmpty ? CommitMetadata() : try CommitMetadata(canonicalBytes: metadataBytes)
    } catch {
      throw StoreError(.damaged, "The metadata of commit \(position) are damaged: \(error)", advice: .verifyAndRestore)
    }
  }

  /// The value before the first commit.
  static let none = ProjectedCommit(
    CommitHeader(
      position: .empty, previousHash: .zero, bodyDigest: .zero, recordedAt: Timestamp(microseconds: 0), happenedAt: nil,
      commitID: nil, author: nil, message: nil, eventCount: 0, bodySize: 0, isModel: false))
}
