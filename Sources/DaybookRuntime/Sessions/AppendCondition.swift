import DaybookModel
import DaybookQuery

/// A condition on the journal that must hold when a commit is written.
///
///     let (cake, seen) = try store.read { (try $0.get(id), $0.position) }
///     try store.write(CommitInfo(when: .untouched(id, since: seen))) { tx in
///       try tx.set(id, ["servings": 8])
///     }
///
/// The store checks it in the write, under its lock: no other write can come between the check and the commit. If it
/// does not hold, the closure is not run, and the write throws ``StoreError/Code/conditionFailed`` with a
/// ``StoreError/conflict``: read again, decide again, and retry.
public struct AppendCondition: Hashable, Sendable {
  enum Term: Hashable, Sendable {
    case untouched(ObjectID, since: Position)
    case unchanged(FetchRequest, since: Position)
  }

  let terms: [Term]

  /// Requires that no commit since a position has an event that names the object.
  ///
  /// An event names an object as its subject or as an end of a link. An object that never existed is untouched until it
  /// is inserted. A recorded event changes nothing, and touches no object.
  ///
  /// - Complexity: O(log *n*) for each entity of the model, however much was written since; and O(log *n*) for each
  ///   commit since that recorded events about the object.
  public static func untouched(_ object: ObjectID, since position: Position) -> AppendCondition {
    AppendCondition(terms: [.untouched(object, since: position)])
  }

  /// Requires that the result of a request is the same as at a position.
  ///
  /// The ``Difference`` between the two results must be empty. An object that was inserted and deleted again, or a
  /// value that was set back, is no change.
  ///
  /// A change of the model in what the request reaches counts as a change of its result.
  ///
  /// - Complexity: O(*k* log *n*) for *k* events since the position; if a request with a limit or an offset may have
  ///   changed, O(*n*) once for *n* rows.
  package static func unchanged(_ request: FetchRequest, since position: Position) -> AppendCondition {
    AppendCondition(terms: [.unchanged(request, since: position)])
  }

  /// Requires all of some conditions; the first one that does not hold is reported.
  public static func all(_ conditions: [AppendCondition]) -> AppendCondition {
    AppendCondition(terms: conditions.flatMap(\.terms))
  }
}
