import DaybookEngine
import DaybookModel

extension AppendConflict {
  /// The request whose result was to be unchanged; `nil` for an object.
  public var request: Request<StoredObject>? { fetch.map { Request($0) } }
}
