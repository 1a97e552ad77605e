import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// A store as it was at a position, from which rows read related objects.
struct StoreOrigin: RowOrigin {
  let store: Store
  let position: Position

  private func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try store.read { try $0.read(at: position, body) }
  }

  func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    try read { try $0.targets(of: id, relationship) }
  }

  func related(to id: ObjectID, _ names: [String]) throws -> [StoredObject] {
    try read { try $0.related(to: id, names) }
  }

  func objects(_ ids: [ObjectID]) throws -> [StoredObject] {
    try read { reader in try ids.compactMap { try reader.get($0) } }
  }

  func groups(of request: FetchRequest) throws -> [StoredObject] {
    try store.read { try $0.read(request, at: position) { try $0.fetch(request).rows } }
  }
}
