import DaybookEngine
import DaybookModel
import DaybookQuery

extension ValidationContext {
  /// Returns the result of a request in the state after the commit.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  package func fetch(_ request: FetchRequest) throws -> Results<StoredObject> {
    try builder.fetchPending(request)
  }
}
