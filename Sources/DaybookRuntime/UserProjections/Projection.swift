import DaybookEngine
import DaybookModel

/// Objects that follow from the commits of a store, such as counts, totals or lists of named events.
///
///     @Entity struct AuthorMonth {
///       @Key var author: String
///       @Key var month: String
///       var commits = 0
///     }
///
///     struct AuthorMonths: Projection {
///       let name = "author-months"
///       let version = 1
///       let entities = [DerivedEntity(AuthorMonth.self)]
///
///       func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
///         guard let author = commit.author else { return }
///         try rows.update(AuthorMonth.key(author: author, month: commit.time.month)) { $0.commits += 1 }
///       }
///     }
///
///     var options = StoreOptions()
///     options.projections = [AuthorMonths()]
///     let store = try Store(at: path, model: model, options: options)
///     let busiest = try store.fetch(AuthorMonth.where { $0.commits > 10 }.sorted(by: \.commits, .descending))
///
/// The rows are read as stored objects are: fetched, sorted, in sections, followed, compared between positions, and as they
/// were at any position. They are stored in the store's projections environment and are disposable: they can be built again
/// from the journal. Rows and checkpoint are written in one transaction, so that a commit is never applied twice and never
/// omitted, whenever the process ends.
///
/// The rows must follow from the commits, the rules of the model and the rows of the projections that are read: no clock, no random
/// number, no answer of another system. Then building them again produces the same rows, which a verification checks. A
/// projection may be called from any thread, also by several at a time and more than once for a commit: of the results one is kept.
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

  /// When commits are applied; after them, by default.
  var mode: ProjectionMode { get }

  /// What happens to a commit on which the projection throws; the projection stops, by default.
  var onFailure: ProjectionFailurePolicy { get }

  /// The derived entities that the projection writes. Names that begin with `@` are Daybook's own.
  var entities: [DerivedEntity] { get }

  /// Whether what each commit changed in the rows is kept beside them, which readers of the past, differences and feeds
  /// from former positions need; it is, by default.
  ///
  /// Without its history a projection takes the room of its rows, and what the last 1,024 commits changed. Live results and
  /// feeds that are not further behind cost the same. Any other reader of the past applies all commits again,
  /// to temporary rows with their history, which this process keeps until the store is closed and continues with each
  /// such read: O(*n*) for *n* commits at first. A process without the code cannot do that. No other projection can read
  /// the rows.
  var keepsHistory: Bool { get }

  /// The names of earlier projections of ``StoreOptions/projections`` whose rows ``AppliedCommit/before`` and
  /// ``AppliedCommit/after`` show; none by default.
  ///
  /// The rows are as the commit left them. So a projection is applied only up to the checkpoints of the ones that it reads, and
  /// is built again after they are. An inline projection reads inline ones only.
  var reads: [String] { get }

  /// Applies a commit.
  ///
  /// It is called for each commit, also for commits of a model.
  ///
  /// If it throws, what the call wrote is undone, and ``onFailure`` determines how the projection continues.
  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws
}

extension Projection {
  public var mode: ProjectionMode { .catchUp }
  public var onFailure: ProjectionFailurePolicy { .stop }
  public var keepsHistory: Bool { true }
  public var reads: [String] { [] }
}

/// When a projection applies commits.
public enum ProjectionMode: String, Sendable, Hashable {
  /// With every commit of a process that knows the projection.
  ///
  /// The rows become visible together with the commit. Commits of processes that do not know the projection are applied
  /// before the next write or read. Every write pays for the projection.
  case inline
  /// After the commits, on a thread of its own.
  case catchUp
}

/// What happens to a commit on which a projection throws.
///
/// The commit stays in the journal in any case, because the journal is authoritative.
public enum ProjectionFailurePolicy: String, Sendable, Hashable {
  /// The projection stops before the commit, until it is skipped or retried.
  case stop
  /// The commit is quarantined with its reason, and the projection continues.
  case quarantine
}
