import DaybookEngine
import DaybookModel
import DaybookRuntime

extension AppendCondition {
  /// Requires that no commit since a position has an event that names the object.
  ///
  /// See ``untouched(_:since:)-(ObjectID,_)``.
  ///
  ///     try store.write(CommitInfo(when: .untouched(cake, since: seen))) { tx in try tx.set(cake, \.servings, 8) }
  ///
  /// - Complexity: O(log *n*) for each entity of the model, however much was written since.
  public static func untouched<Object>(_ object: EntityID<Object>, since position: Position) -> AppendCondition {
    untouched(object.objectID, since: position)
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
  public static func unchanged(_ request: Request<some ResultRow>, since position: Position) -> AppendCondition {
    unchanged(request.fetch, since: position)
  }
}
