@testable import DaybookModel
@testable import DaybookQuery

struct SortedRow: Equatable {
  let id: ObjectID
  let values: [Value]

  /// Returns the bytes by which the rows of a request without sections sort.
  func key(in request: ResolvedRequest) -> [UInt8] {
    var key: [UInt8] = []
    for (term, value) in zip(request.terms, values) {
      let start = key.count
      SortKey.append(value, order: term.order, to: &key)
      if term.movesNull, value.isNull { key[start] = SortKey.movedNull }
      if term.isDescending { SortKey.complement(&key, from: start) }
    }
    key.append(id)
    return key
  }
}

/// Returns the objects that meet the request's filter in its order, without its window.
func sortedRows(_ request: ResolvedRequest, _ world: inout World) throws -> [SortedRow] {
  var rows: [SortedRow] = []
  for thing in world.all(world.model.entities[request.entity].name) {
    let object = ObjectKey(entity: request.entity, id: thing.id)
    guard try request.filter?.matches(object, in: &world) ?? true else { continue }
    rows.append(SortedRow(id: thing.id, values: try request.sortValues(of: object, in: &world)))
  }
  return rows.sorted { request.areInIncreasingOrder($0.values, $0.id, $1.values, $1.id) }
}
