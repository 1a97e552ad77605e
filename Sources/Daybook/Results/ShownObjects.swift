import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The objects of the rows that a step inserts, moves or updates, as they are at its end.
package struct ShownObjects: Sendable {
  private var objects: [ObjectID: StoredObject] = [:]
  /// The rows of the requests that have groups.
  private var groups: [FetchRequest: [ObjectID: StoredObject]] = [:]
  /// The model of the end.
  package let model: ResolvedModel
  /// For each request that shows paths, the values of its rows.
  private var values: [FetchRequest: [ObjectID: [ShownValue]]] = [:]

  init(model: ResolvedModel) {
    self.model = model
  }

  /// Reads the objects of the rows that a change leaves in the result of a request, and the values that it shows of them.
  mutating func read(_ change: ResultsChange, of request: FetchRequest, in reader: Reader) throws {
    let rows = change.difference.rows.filter { $0.to != nil }
    var shown: ShownReader?
    if request.shows != nil, request.grouping == nil, !rows.isEmpty { shown = try ShownReader(request, in: reader) }
    var values: [ObjectID: [ShownValue]] = [:]
    for row in rows {
      if request.grouping != nil {
        groups[request, default: [:]][row.id] = try reader.object(row.id)
      } else if objects[row.id] == nil {
        objects[row.id] = try reader.object(row.id)
      }
      values[row.id] = try shown?.values(of: row.id)
    }
    if !values.isEmpty { self.values[request] = values }
  }

  /// Returns the object of a row, or the group; `nil` if it did not change.
  package func object(_ id: ObjectID, in request: FetchRequest) -> StoredObject? {
    request.grouping == nil ? objects[id] : groups[request]?[id]
  }

  /// Returns the values that a request shows of a row; `nil` if it names no paths, or the row did not change.
  package func values(of id: ObjectID, in request: FetchRequest) -> [ShownValue]? { values[request]?[id] }
}
