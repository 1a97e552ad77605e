import DaybookEngine
import DaybookModel

extension Store {
  /// Returns a description of the search for the commits that meet a filter: what the index of the journal finds, and
  /// what is tested.
  ///
  /// - Throws: As ``log(where:from:to:reversed:limit:matchingEventsOnly:)``.
  public func explain(_ filter: CommitFilter) throws -> String {
    let query = try CommitQuery(filter, in: self)
    return try query.explanation(through: position)
  }
}
