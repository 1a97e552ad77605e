import DaybookEngine
import DaybookQuery

extension FetchRequest {
  /// The request with untyped rows.
  package var untyped: Request<StoredObject> { Request(self) }
}
