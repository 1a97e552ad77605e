import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import WorkLimits

/// The verbs for all objects of a request's result.
///
///     try store.write(author: "editor") { tx in
///       try tx.set(where: FetchRequest(entity: "Recipe", filter: Filter(parsing: "servings > 8")), ["servings": 8])
///       try tx.delete(where: FetchRequest(entity: "Recipe", filter: Filter(parsing: "note == nil")))
///     }
///
/// The objects are found before the first of them changes, so a change does not add objects to the result or remove
/// some. A limit and an offset of the request count, its sections do not.
extension Transaction {
  /// Returns the number of objects that match a request in the state of this write, within its limit and offset.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  /// - Complexity: O(*n*) for *n* rows that the plan reads.
  package func count(_ request: FetchRequest) throws -> Int {
    try ids(of: request).count
  }

  /// Changes attributes of all objects that match a request; null clears an optional one.
  ///
  /// An object that has the values already gets no event.
  ///
  /// - Returns: The number of objects that match.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `notFound` for an unknown attribute,
  ///   `badValue`; `tooLarge` if the commit exceeds its limits, which fails all of it.
  /// - Complexity: O(*k* log *n*) for *k* objects that match, and the cost of finding them.
  @discardableResult
  package func set(where request: FetchRequest, _ values: KeyValuePairs<String, Value>) throws -> Int {
    try forEachMatch(of: request, setting: values.map(\.key)) { try builder.set($0, values) }
  }

  /// Changes attributes of all objects that match a request to values from a dictionary.
  ///
  /// - Returns: The number of objects that match.
  /// - Throws: The errors of the form with pairs.
  @discardableResult
  package func set(where request: FetchRequest, values: [String: Value]) throws -> Int {
    try forEachMatch(of: request, setting: values.keys.sorted()) { try builder.set($0, values) }
  }

  /// Deletes all objects that match a request, and the objects that their delete rules include.
  ///
  /// They are deleted together: a rule that denies the deletion of an object while another one exists does not count if
  /// the other one is deleted too.
  ///
  /// - Returns: The number of objects that match.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks; `constraint` if a rule denies a
  ///   delete, or if a remaining object would lose a required relationship; `tooLarge` if the commit exceeds its limits,
  ///   which fails all of it.
  /// - Complexity: O(*k* log *n*) for *k* deleted objects and links, and the cost of finding the objects.
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
    try builder.perform {
      try builder.fold.settle()
      // The rows of constraints change only at the end of the commit.
      return try builder.allowance.spend {
        try builder.reader.ids(of: request, usesConstraints: false).sections.flatMap(\.ids)
      }
    }
  }
}
