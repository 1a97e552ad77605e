import DaybookEngine
import DaybookModel
import DaybookQuery

/// The groups of a request in a store or a context, which are found by reading all of them.
final class GroupOrigins: RowOrigins {
  private let request: FetchRequest
  let base: any RowOrigins

  init(request: FetchRequest, base: any RowOrigins) {
    (self.request, self.base) = (request, base)
  }

  func origin(at position: Position) -> any RowOrigin { GroupOrigin(request: request, base: base.origin(at: position)) }
}

/// The groups of a request in one state.
private struct GroupOrigin: RowOrigin {
  let request: FetchRequest
  let base: any RowOrigin

  func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    try base.targets(of: id, relationship)
  }

  func related(to id: ObjectID, _ names: [String]) throws -> [StoredObject] { try base.related(to: id, names) }

  func objects(_ ids: [ObjectID]) throws -> [StoredObject] {
    let groups = try Dictionary(uniqueKeysWithValues: base.groups(of: request).map { ($0.id, $0) })
    return ids.compactMap { groups[$0] }
  }

  func groups(of request: FetchRequest) throws -> [StoredObject] { try base.groups(of: request) }
}
