import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The objects of the rows that a step inserts, moves or updates, as they are at its end.
package struct ShownObjects: Sendable {
  package private(set) var objects: [ObjectID: StoredObject] = [:]
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
      if objects[row.id] == nil { objects[row.id] = try reader.find(row.id).flatMap { try reader.object($0) } }
      values[row.id] = try shown?.values(of: row.id)
    }
    if !values.isEmpty { self.values[request] = values }
  }

  /// Returns the values that a request shows of a row; `nil` if it names no paths, or the row did not change.
  package func values(of id: ObjectID, in request: FetchRequest) -> [ShownValue]? { values[request]?[id] }
}
