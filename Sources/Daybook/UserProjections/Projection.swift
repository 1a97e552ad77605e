import DaybookModel

/// State of your own that is folded from the journal: counts, a search index, whatever the built-in projections lack.
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
///     try await store.wait(for: position, in: "renames")
///     let count = try store.read(projection: "renames") { try $0.integer(id.bytes, in: "count") }
///
/// Its rows lie in the store's projections environment and are disposable: what made them is kept, so they can be made
/// again. They and the checkpoint are written in one transaction, so that an event is never taken in twice and never
/// left out, whenever the process ends.
///
/// What it writes must follow from the events and its own rows alone: no clock, no random number, nothing that another
/// system answers. Then a rebuild gives the same rows. It may be called from any thread, by one at a time in all
/// processes.
public protocol Projection: Sendable {
  /// By which it is known in the store: 1 to 64 ASCII letters, digits, hyphens and underscores. The names of the built-in
  /// projections are taken.
  var name: String { get }

  /// The version of its code and its rows, from 1. With a higher one than the store has, it is built anew beside the
  /// other; a process that knows only a lower one is refused.
  var version: Int { get }

  /// When events are taken in.
  var mode: ProjectionMode { get }

  /// What becomes of an event that throws.
  var onFailure: ProjectionFailurePolicy { get }

  /// Takes in the beginning of a commit. Called for each commit before its events; a commit of a model has none.
  ///
  /// If it throws, it has failed as event 0 of the commit, and what it wrote is undone.
  func begin(_ commit: ProjectedCommit, in context: borrowing ProjectionContext) throws

  /// Takes in an event.
  ///
  /// If it throws, what it wrote is undone, and ``Projection/onFailure`` says how the projection goes on.
  func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws
}

extension Projection {
  public var mode: ProjectionMode { .catchUp }
  public var onFailure: ProjectionFailurePolicy { .stop }
  public func begin(_ commit: ProjectedCommit, in context: borrowing ProjectionContext) throws {}
}

/// When a projection takes events in.
public enum ProjectionMode: String, Sendable, Hashable {
  /// With every commit of a process that knows it: its rows become visible together with the commit. What processes that
  /// do not know it have written is taken in before the next write or read. Every write pays for it.
  case inline
  /// Behind the commits, by a thread of its own.
  case catchUp
}

/// What becomes of an event that a projection throws on. The commit stands in any case: the journal is the truth.
public enum ProjectionFailurePolicy: String, Sendable, Hashable {
  /// The projection stops before the commit of the event, until somebody skips or retries it.
  case stop
  /// The event is set aside with its reason, and the projection goes on.
  case quarantine
}

/// What a commit says of itself to a projection.
public struct ProjectedCommit: Sendable, Hashable {
  /// The commit's position.
  public let position: Position
  /// When it happened, else when it was recorded.
  public let time: Timestamp
  /// When it was recorded.
  public let recordedAt: Timestamp
  /// Who wrote it.
  public let author: String?
  /// Why.
  public let message: String?
  /// The id that its writer gave it.
  public let commitID: ObjectID?
  /// 0 for a commit of a model.
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
    eventCount = header.eventCount
    isModel = header.isModel
  }

  /// What there is before the first commit.
  static let none = ProjectedCommit(
    CommitHeader(
      position: .empty, previousHash: .zero, bodyDigest: .zero, recordedAt: Timestamp(microseconds: 0), happenedAt: nil,
      commitID: nil, author: nil, message: nil, eventCount: 0, bodySize: 0, isModel: false))
}
