import DaybookModel
import DaybookQuery

/// What must still be true of the journal when a commit is written.
///
///     let (cake, seen) = try store.read { (try $0.get(id), $0.position) }
///     try store.write(when: .untouched(id, since: seen)) { tx in
///       try tx.set(id, ["servings": 8])
///     }
///
/// It is checked in the write, under the store's lock: between the check and the commit nobody else can write. If it does
/// not hold, the closure is not run, and the write throws ``StoreError/Code/conditionFailed`` with a
/// ``StoreError/conflict``: read anew, decide anew, try again.
public struct AppendCondition: Hashable, Sendable {
  enum Term: Hashable, Sendable {
    case untouched(ObjectID, since: Position)
    case unchanged(FetchRequest, since: Position)
  }

  let terms: [Term]

  /// No commit since a position has an event that names the object: as its subject, or as an end of a link. An object
  /// that there has never been is untouched, and stays so until it is inserted.
  ///
  /// - Complexity: O(log *n*) for each entity of the model, however much was written since.
  public static func untouched(_ object: ObjectID, since position: Position) -> AppendCondition {
    AppendCondition(terms: [.untouched(object, since: position)])
  }

  /// The result of a request is what it was at a position: the ``Difference`` between the two is empty. What comes and
  /// goes again, or is set back, has changed nothing.
  ///
  /// A change of the model in what the request reaches counts as a change of its result.
  ///
  /// - Complexity: O(*k* log *n*) for *k* events since; a request with a limit or an offset that may have changed takes
  ///   O(*n*) once for *n* rows.
  public static func unchanged(_ request: FetchRequest, since position: Position) -> AppendCondition {
    AppendCondition(terms: [.unchanged(request, since: position)])
  }

  /// All of some conditions; the first that does not hold is the one that is told of.
  public static func all(_ conditions: [AppendCondition]) -> AppendCondition {
    AppendCondition(terms: conditions.flatMap(\.terms))
  }
}

/// Why an ``AppendCondition`` does not hold.
public struct AppendConflict: Hashable, Sendable {
  /// What was touched.
  public enum Subject: Hashable, Sendable {
    /// An object that was to be untouched.
    case object(ObjectID)
    /// A request whose result was to be unchanged.
    case request(FetchRequest)
  }

  /// What was touched.
  public let subject: Subject
  /// The position that the condition named.
  public let since: Position
  /// The commits after it that touched the subject, rising: all of them for a request; for an object the last ones, at
  /// most ``maximumPositionCount``.
  public let positions: [Position]
  /// The head when the condition was checked.
  public let head: Position

  /// How many commits that touched an object are told.
  public static let maximumPositionCount = 256
}

extension StoreError {
  init(_ conflict: AppendConflict) {
    let subject =
      switch conflict.subject {
      case .object(let id): "The object \(id) was touched"
      case .request(let request): "The result of the request for \(request.entity) was changed"
      }
    let shown = conflict.positions.suffix(5).map(\.description).joined(separator: ", ")
    self.init(
      .conditionFailed, "\(subject) after commit \(conflict.since), by \(shown).",
      advice: "Read it anew, and try again from position \(conflict.head).", conflict: conflict)
  }
}
