import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import WorkLimits

/// The verbs for all objects of a request's result, which are found before the first of them changes.
extension Transaction {
  /// Changes attributes of all objects that match a request; null clears an optional one.
  @discardableResult
  package func set(where request: FetchRequest, _ values: [String: Value]) throws -> Int {
    try forEachMatch(of: request, setting: values.keys.sorted()) { try builder.set($0, values) }
  }

  /// Deletes all objects that match a request together, and the objects that their delete rules include.
  @discardableResult
  package func delete(where request: FetchRequest) throws -> Int {
    let ids = try ids(of: request)
    if !ids.isEmpty { try builder.delete(ids) }
    return ids.count
  }

  /// Calls a verb for each object that matches a request.
  ///
  /// Unknown attributes are refused even if no object matches.
  private func forEachMatch(
    of request: FetchRequest, setting names: [String], _ verb: (ObjectID) throws -> Void
  ) throws -> Int {
    let ids = try ids(of: request)
    let entity = builder.model.entities[try builder.model.requireEntity(request.entity)]
    for name in names { _ = try entity.requireStoredAttribute(name) }
    for id in ids { try verb(id) }
    return ids.count
  }

  private func ids(of request: FetchRequest) throws -> [ObjectID] {
    guard request.grouping == nil else {
      throw StoreError(
        .badRequest, "Groups are no objects that can be written.", advice: "Give the request for the objects.")
    }
    return try builder.perform {
      try builder.checkStored(request.entity)
      try builder.fold.settle()
      // The rows of constraints change only at the end of the commit.
      let request = try reader.timed(request)
      return try builder.allowance.spend {
        try builder.reader.ids(of: request, usesConstraints: false).sections.flatMap(\.rows)
      }
    }
  }
}
